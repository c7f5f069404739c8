import { gunzipSync } from 'node:zlib';
import type { Portable } from '#core/exchange/relation-export.js';
import { ExchangesRegistry } from '#core/exchange/exchanges.registry.js';
import { startApi, ROOT_TOKEN, type TestApi } from './api.js';
import type { ApiClient } from './client.js';
import { until } from './until.js';

/** An export as the status reports it. */
export interface ExportBody {
  readonly relation: string;
  readonly status: number;
  readonly error: string | null;
  readonly batched: boolean;
  readonly batches_count: number;
  readonly total_objects_count: number;
  readonly batches?: readonly { readonly batch_number: number; readonly objects_count: number }[];
}

/** A downloaded file. */
export interface Fetched {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
}

/** Relations of the tests: their records, and a hook for reading them. */
export class TestRelation {
  /** JSON texts by owner; the id of a record is its position, from 1. */
  readonly rows = new Map<number, readonly string[]>();
  /** Called before each page. */
  beforePage: (afterId: number) => Promise<void> | void = () => undefined;
  readonly limits: number[] = [];

  constructor(
    readonly of: Portable,
    readonly relation: string,
    readonly batchable: boolean,
  ) {}

  async page(ownerId: number, afterId: number, limit: number): Promise<{ id: number; json: string }[]> {
    await this.beforePage(afterId);
    this.limits.push(limit);
    const rows = this.rows.get(ownerId) ?? [];
    return rows.slice(afterId, afterId + limit).map((json, index) => ({ id: afterId + index + 1, json }));
  }
}

/** The product with two relations of projects that tests fill. */
export class ExportWorld {
  private constructor(
    readonly api: TestApi,
    readonly many: TestRelation,
    readonly few: TestRelation,
  ) {}

  static async start(): Promise<ExportWorld> {
    const api = await startApi();
    const many = new TestRelation('project', 'test_many', true);
    const few = new TestRelation('project', 'test_few', false);
    const transfers = api.app.get(ExchangesRegistry, { strict: false });
    for (const exported of [many, few])
      transfers.register({
        of: exported.of,
        relation: exported.relation,
        batchable: exported.batchable,
        stage: 0,
        isExtension: true,
        page: (ownerId, afterId, limit) => exported.page(ownerId, afterId, limit),
        titledBy: [],
        keyedBy: [],
        transform: () => null,
        load: () => Promise.resolve([]),
      });
    return new ExportWorld(api, many, few);
  }

  get root(): ApiClient {
    return this.api.root;
  }

  /** Starts the exports of a place such as `projects/1`. */
  async begin(place: string, batched = false, client = this.root): Promise<void> {
    const answer = await client.post(`/${place}/export_relations`, { batched });
    if (answer.status !== 202) throw new Error(`POST export_relations: ${answer.status} ${answer.text}`);
  }

  /** Waits until all exports have ended, and returns them. */
  async ended(place: string, client = this.root): Promise<readonly ExportBody[]> {
    let exports: readonly ExportBody[] = [];
    await until(async () => {
      exports = (await client.get<ExportBody[]>(`/${place}/export_relations/status`)).body;
      return exports.length > 0 && exports.every(({ status }) => status !== 0);
    }, 30_000);
    return exports;
  }

  /** Fetches a file. */
  async fetch(path: string, headers: Record<string, string> = {}, token = ROOT_TOKEN): Promise<Fetched> {
    const response = await fetch(`${this.api.url}/api/v4/${path}`, {
      headers: { 'PRIVATE-TOKEN': token, ...headers },
    });
    return {
      status: response.status,
      headers: response.headers,
      bytes: Buffer.from(await response.arrayBuffer()),
    };
  }

  /** Lines of a fetched file. */
  async lines(place: string, query: string): Promise<string[]> {
    const { status, bytes } = await this.fetch(`${place}/export_relations/download?${query}`);
    if (status !== 200) throw new Error(`GET download: ${status} ${bytes.toString()}`);
    return gunzipSync(bytes)
      .toString()
      .split('\n')
      .filter((line) => line !== '');
  }

  close(): Promise<void> {
    return this.api.close();
  }
}
