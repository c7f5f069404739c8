import { gzipSync } from 'node:zlib';
import type { V4Version } from './v4-version.js';

/** A response of the server: `json` or `bytes`. */
export interface V4Answer {
  readonly status: number;
  readonly json?: unknown;
  readonly bytes?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Records of each relation of one group or project; `self` has one. */
export type V4Tree = Readonly<Record<string, readonly object[]>>;

const BATCH = 2;
const AT = '2024-05-06T07:08:09.123Z';
const said = (status: number, message: string): V4Answer => ({ status, json: { message } });
const MISSING = said(404, 'Export not found');
/** Relations that are never split. */
const SINGLE: ReadonlySet<string> = new Set(['self', 'auto_devops', 'project_feature', 'namespace_settings']);

/** The exports of one group or project: once requested, they are written step by step with each status request. */
export class V4Exports {
  private begun = false;
  private isBatched = false;
  private readonly looks = new Map<string, number>();

  constructor(
    private readonly version: V4Version,
    private readonly tree: V4Tree,
    /** Relation whose first batch cannot be written. */
    private readonly broken: string | null,
    /** Names of relations are validated for files of projects, but only looked up for files of groups. */
    private readonly checksNames: boolean,
  ) {}

  start(batched: boolean): V4Answer {
    this.begun = true;
    this.isBatched = batched && this.version.hasBatches;
    this.looks.clear();
    return said(202, '202 Accepted');
  }

  status(relation: string | null): V4Answer {
    if (!this.version.hasStatusOfOne || relation === null) {
      const all = Object.keys(this.tree).flatMap((each) => this.stateOf(each) ?? []);
      return { status: 200, json: all };
    }
    const state = this.tree[relation] ? this.stateOf(relation) : null;
    return state ? { status: 200, json: state } : MISSING;
  }

  download(query: URLSearchParams): V4Answer {
    const relation = query.get('relation') ?? '';
    const records = this.tree[relation];
    const batch = query.get('batch_number');
    if (!records && this.checksNames) return { status: 400, json: { error: 'relation is not portable' } };
    if (!records || !this.begun) return MISSING;
    if (query.has('batched') !== query.has('batch_number'))
      return { status: 400, json: { error: 'provide all or none of parameters: batched, batch_number' } };
    const isSplit = this.isSplit(relation);
    if (isSplit !== (batch !== null))
      return said(400, isSplit ? 'Export is batched' : 'Export is not batched');
    const from = batch === null ? 0 : (Number(batch) - 1) * BATCH;
    const part = isSplit ? records.slice(from, from + BATCH) : records;
    if (isSplit && part.length === 0) return said(404, 'Batch not found');
    if (isSplit && relation === this.broken && batch === '1') return said(404, 'Batch file not found');
    const isSelf = relation === 'self';
    // One object is written as such, a list line by line; older servers end the last line with the file.
    const lines = part.map((one) => JSON.stringify(one)).join('\n');
    const end = part.length === 0 || this.version.hasOldNames ? '' : '\n';
    const text = isSelf ? JSON.stringify(part[0], null, 1) : lines + end;
    const name = isSelf ? 'self.json.gz' : `${relation}.ndjson.gz`;
    return {
      status: 200,
      bytes: gzipSync(text),
      headers: {
        'Content-Disposition': `attachment; filename="${name}"`,
        'Content-Type': 'application/gzip',
      },
    };
  }

  private isSplit(relation: string): boolean {
    return this.isBatched && !SINGLE.has(relation);
  }

  /** The first status request shows that it waits, the second that it is being written. */
  private stateOf(relation: string): object | null {
    if (!this.begun) return null;
    const look = (this.looks.get(relation) ?? 0) + 1;
    this.looks.set(relation, look);
    const status = look === 1 ? this.version.pending : look === 2 ? 0 : 1;
    if (status === null) return null;
    const state = { relation, status, error: null, updated_at: AT };
    if (!this.version.hasBatches) return state;
    const records = this.tree[relation] ?? [];
    const count = this.isSplit(relation) ? Math.ceil(records.length / BATCH) : 0;
    const batches = Array.from({ length: status === 1 ? count : 0 }, (_, at) => {
      const isBroken = relation === this.broken && at === 0;
      const result = isBroken ? { status: -1, error: 'No space left' } : { status: 1, error: null };
      const objects_count = Math.min(BATCH, records.length - at * BATCH);
      return { ...result, batch_number: at + 1, objects_count, updated_at: AT };
    });
    return {
      ...state,
      batched: this.isSplit(relation),
      batches_count: count,
      total_objects_count: status === 1 ? records.length : 0,
      ...(this.isSplit(relation) ? { batches } : {}),
    };
  }
}
