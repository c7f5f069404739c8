import type { Readable } from 'node:stream';
import { Pieces } from '#kernel/streams/pieces.js';
import { fieldsOf, type FieldClass } from '../../fields/field-spec.js';
import { SentFile } from './sent-file.js';

/** Collects the files of a multipart body that a route declares as parameters; they are small enough for memory. */
export class SentFiles {
  private readonly wanted: ReadonlyMap<string, number>;
  private readonly found = new Map<string, (() => SentFile)[]>();

  constructor(params: FieldClass | undefined) {
    const fields = params ? fieldsOf(params) : [];
    this.wanted = new Map(fields.flatMap(({ name, file }) => (file ? [[name, file.maxBytes]] : [])));
  }

  /** Read limit of each file: the largest allowed size, plus one to detect larger files, plus one because the parser truncates at the limit. */
  get maxBytes(): number {
    return Math.max(0, ...this.wanted.values()) + 2;
  }

  /** Collects a file or skips it; keeps only the first two files of one name, enough to detect a repetition. */
  take(name: string, filename: string | undefined, stream: Readable): void {
    const known = this.found.get(name) ?? [];
    if (!this.wanted.has(name) || known.length > 1) {
      stream.resume();
      return;
    }
    const pieces = new Pieces();
    stream.on('data', (piece: Buffer) => pieces.add(piece));
    this.found.set(name, [...known, () => new SentFile(filename ?? '', pieces.take())]);
  }

  /** Merges the files into the fields. Browsers send an empty file input as a file without name and content: its value is empty. */
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
