import { writeFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import type { Portable } from '#core/exchange/relation-export.js';
import type { SourceRecord } from '#core/exchange/source-record.js';
import type { ExportStatus, SourceApi } from '#features/bulk-imports/source/source-api.js';
import { SourceRefused } from '#features/bulk-imports/source/source-errors.js';

/** Answers of a source that finished a relation: one file, or several. */
export const finished = (over: Partial<ExportStatus> = {}): ExportStatus => ({
  status: 'finished',
  error: null,
  batched: false,
  batchesCount: 0,
  failedBatches: new Map(),
  edition: null,
  objectsCount: null,
  ...over,
});

/** A source without network, whose responses are set by tests. */
export class MemorySource implements SourceApi {
  readonly url = 'https://old.example';
  /** Calls in their order, such as `get /users/1` or `export group 7`. */
  readonly calls: string[] = [];
  /** The texts of files by keys such as `group labels`. */
  readonly files = new Map<string, readonly string[]>();
  readonly users = new Map<number, SourceRecord>();
  /** Pages of lists by path; others are empty. */
  readonly lists = new Map<string, readonly (readonly SourceRecord[])[]>();
  /** Responses by path. */
  readonly pictures = new Map<string, Buffer>();
  readonly batched = new Set<string>();
  /** Relations that the source reports as never exported. */
  readonly never = new Set<string>();
  /** Called before the response to each call, for a file with its path and timeout; may throw. */
  before: (call: string, file: string, withinMs: number) => Promise<void> | void = () => undefined;
  /** Export status of the source; undefined: derived from its files. */
  status: (relation: string) => ExportStatus | null | undefined = () => undefined;

  async get(path: string): Promise<SourceRecord> {
    await this.called(`get ${path}`);
    const [, user] = /^\/users\/(\d+)$/.exec(path) ?? [];
    if (user === undefined) return { id: 7_000 };
    const record = this.users.get(Number(user));
    if (!record) throw new SourceRefused('Not found', 404);
    return record;
  }

  count(): Promise<number | null> {
    return Promise.resolve(null);
  }

  async *pages(path: string): AsyncIterable<readonly SourceRecord[]> {
    for (const page of this.lists.get(path) ?? [[]]) {
      await this.called(`pages ${path}`);
      yield page;
    }
  }

  async requestExport(of: Portable, id: number): Promise<void> {
    await this.called(`export ${of} ${id}`);
  }

  async exportStatus(of: Portable, _id: number, relation: string): Promise<ExportStatus | null> {
    await this.called(`status ${relation}`);
    const given = this.status(relation);
    if (given !== undefined) return given;
    const files = this.files.get(`${of} ${relation}`);
    if (!files) return null;
    const batched = this.batched.has(relation);
    return finished({ batched, batchesCount: batched ? files.length : 0 });
  }

  async neverExports(_of: Portable, _id: number, relation: string): Promise<boolean> {
    await this.called(`never ${relation}`);
    return this.never.has(relation);
  }

  async download(
    of: Portable,
    _id: number,
    relation: string,
    batch: number | null,
    file: string,
    withinMs: number,
  ): Promise<void> {
    await this.called(`download ${relation} ${batch ?? 'whole'}`, file, withinMs);
    const text = this.files.get(`${of} ${relation}`)?.[(batch ?? 1) - 1];
    if (text === undefined) throw new SourceRefused('Not found', 404);
    await writeFile(file, gzipSync(text));
  }

  async picture(path: string): Promise<Buffer | null> {
    await this.called(`picture ${path}`);
    return this.pictures.get(path) ?? null;
  }

  gitPauseMs(): Promise<number> {
    return Promise.resolve(0);
  }

  gitAccess(): Promise<never> {
    return Promise.reject(new SourceRefused('There is no code here'));
  }

  private async called(call: string, file = '', withinMs = 0): Promise<void> {
    this.calls.push(call);
    await this.before(call, file, withinMs);
  }
}
