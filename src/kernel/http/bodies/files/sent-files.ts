import type { Readable } from 'node:stream';
import { fieldsOf, type FieldClass } from '../../fields/field-spec.js';
import { SentFile } from './sent-file.js';

/** Collects the files of a multipart body that a route takes as parameters; all of them fit into memory. */
export class SentFiles {
  private readonly wanted: ReadonlyMap<string, number>;
  private readonly found = new Map<string, (() => SentFile)[]>();

  constructor(params: FieldClass | undefined) {
    const fields = params ? fieldsOf(params) : [];
    this.wanted = new Map(fields.flatMap(({ name, file }) => (file ? [[name, file.maxBytes]] : [])));
  }

  /** So many bytes of each file are looked at: one more than any may have, and one for the parser, which takes a file that just reaches its limit for one that was cut. */
  get maxBytes(): number {
    return Math.max(0, ...this.wanted.values()) + 2;
  }

  /** Takes a file in, or passes it over; of several by the same name none counts but the first two. */
  take(name: string, filename: string | undefined, stream: Readable): void {
    const known = this.found.get(name) ?? [];
    if (!this.wanted.has(name) || known.length > 1) {
      stream.resume();
      return;
    }
    const chunks: Buffer[] = [];
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
    this.found.set(name, [...known, () => new SentFile(filename ?? '', Buffer.concat(chunks))]);
  }

  /** The fields with the files among them. What a form leaves empty is sent as a file without name and content: that is an empty value. */
  beside(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
    const body: Record<string, unknown> = { ...fields };
    for (const [name, made] of this.found) {
      const [first, ...others] = made.map((make) => make());
      const isAlone = others.length === 0 && !Object.hasOwn(fields, name);
      const isEmpty = first?.name === '' && first.content.length === 0;
      body[name] = !isAlone ? [first, ...others] : isEmpty ? '' : first;
    }
    return body;
  }
}
