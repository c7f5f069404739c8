import { gunzipSync } from 'node:zlib';
import { until } from '../until.js';

/** A file as a destination accepts it. */
export interface TakenFile {
  readonly name: string | undefined;
  readonly type: string | null;
  readonly bytes: Buffer;
}

/** A record of an export. */
export type Line = Readonly<Record<string, unknown>>;

interface Status {
  readonly relation: string;
  readonly status: number;
  readonly error: string | null;
  readonly batched: boolean;
  readonly batches_count: number;
  readonly total_objects_count: number;
  readonly batches?: readonly { readonly status: number; readonly batch_number: number }[];
}

/** Accepted content types for files of a relation. */
const TYPES: readonly (string | null)[] = ['application/gzip', 'application/octet-stream'];

/** Calls a source as an existing v4 destination does: the token in the query of every call, pages of thirty. */
export class V4Destination {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  /** Any call over REST. */
  call(
    method: 'GET' | 'POST',
    path: string,
    query: Readonly<Record<string, string>> = {},
  ): Promise<Response> {
    const usual = { private_token: this.token, page: '1', per_page: '30' };
    const search = new URLSearchParams({ ...query, ...usual }).toString();
    const headers = { 'Content-Type': 'application/json' };
    return fetch(`${this.url}/api/v4/${path}?${search}`, { method, headers });
  }

  /** The JSON of a response. @throws for any status other than 200 */
  async get<T>(path: string, query: Readonly<Record<string, string>> = {}): Promise<T> {
    const answer = await this.call('GET', path, query);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  /** Sends a GraphQL query. @throws for any error in its response */
  async ask<T>(query: string, variables: object): Promise<T> {
    const answer = await fetch(`${this.url}/api/graphql`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${this.token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = (await answer.json()) as { data: T; errors?: unknown };
    if (errors !== undefined) throw new Error(JSON.stringify(errors));
    return data;
  }

  /** Waits until a relation is written, with a status request for it only. @throws if that fails */
  async written(place: string, relation: string): Promise<Status> {
    let status: Status | undefined;
    await until(async () => {
      status = await this.get<Status>(`${place}/export_relations/status`, { relation });
      return status.status === 1 || status.status === -1;
    }, 30_000);
    if (status?.status !== 1) throw new Error(`${relation}: ${status?.error}`);
    return status;
  }

  /** Fetches the file of a relation or of a batch. @throws for a file that a destination refuses */
  async file(place: string, relation: string, batch: number | null): Promise<TakenFile> {
    const part = batch === null ? {} : { batched: 'true', batch_number: String(batch) };
    const answer = await this.call('GET', `${place}/export_relations/download`, { relation, ...part });
    const bytes = Buffer.from(await answer.arrayBuffer());
    if (answer.status !== 200) throw new Error(`${relation}: ${answer.status} ${bytes.toString()}`);
    const type = answer.headers.get('content-type');
    const length = answer.headers.get('content-length');
    if (!TYPES.includes(type)) throw new Error(`${relation}: ${type}`);
    if (length !== null && Number(length) !== bytes.length) throw new Error(`${relation}: ${length} bytes`);
    const [, name] = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '') ?? [];
    return { name, type, bytes };
  }

  /** All records of a relation, in batches if it has any. @throws for a line that is not a JSON object */
  async records(place: string, relation: string): Promise<Line[]> {
    const status = await this.written(place, relation);
    const batches = status.batched ? Array.from({ length: status.batches_count }, (_, at) => at + 1) : [null];
    const lines: Line[] = [];
    for (const batch of batches) {
      const { name, bytes } = await this.file(place, relation, batch);
      if (name !== `${relation}.ndjson.gz`) throw new Error(`${relation}: ${name}`);
      const text = gunzipSync(bytes).toString('utf8');
      for (const line of text.split('\n').filter((one) => one !== '')) lines.push(JSON.parse(line) as Line);
    }
    if (lines.length !== status.total_objects_count)
      throw new Error(`${relation}: ${lines.length} of ${status.total_objects_count}`);
    return lines;
  }
}
