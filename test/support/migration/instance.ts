import { Gitlab } from '@gitbeaker/rest';
import pg from 'pg';
import { ApiClient } from '../client.js';
import { createTestDatabase } from '../database.js';
import type { Client } from '../gitbeaker.js';
import { ROOT_TOKEN, startProduct, type Product } from '../processes.js';

/** A user of an instance. */
export interface InstanceUser {
  readonly id: number;
  readonly username: string;
  readonly token: string;
  readonly api: ApiClient;
}

/** One running service on its own database. */
export class Instance {
  private constructor(
    readonly product: Product,
    readonly databaseUrl: string,
    private readonly pool: pg.Pool,
    private readonly drop: () => Promise<void>,
  ) {}

  /** Starts an instance; `env` overrides the defaults. */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<Instance> {
    const database = await createTestDatabase();
    const product = await startProduct({
      env: { DATABASE_URL: database.url, LOG_LEVEL: 'warn', ALLOW_LOCAL_REQUESTS: 'true', ...env },
    });
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    pool.on('error', () => undefined);
    return new Instance(product, database.url, pool, () => database.drop());
  }

  get url(): string {
    return this.product.url;
  }

  /** A client with the administrator's token. */
  get root(): ApiClient {
    return this.as(ROOT_TOKEN);
  }

  as(token: string): ApiClient {
    return new ApiClient(this.url, token);
  }

  /** An unmodified client of the v4 API. */
  gitbeaker(token: string = ROOT_TOKEN): Client {
    return new Gitlab({ host: this.url, token });
  }

  /** A user with a confirmed, public address and a token of scope `api`. */
  async user(username: string): Promise<InstanceUser> {
    const email = `${username}@example.com`;
    const { body } = await this.root.post<{ id: number }>('/users', {
      ...{ username, email, name: `${username} of all`, password: 'correct horse battery' },
      skip_confirmation: true,
    });
    await this.root.put(`/users/${body.id}`, { public_email: email });
    const answer = await this.root.post<{ token: string }>(`/users/${body.id}/personal_access_tokens`, {
      ...{ name: 'test', scopes: ['api'] },
    });
    const { token } = answer.body;
    return { id: body.id, username, token, api: this.as(token) };
  }

  /** Runs SQL next to the product. */
  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    return (await this.pool.query<Row>(text, [...values])).rows;
  }

  /** Returns all pages of a list. @throws for any response other than 200 */
  async all<Row = Record<string, unknown>>(path: string, api: ApiClient = this.root): Promise<Row[]> {
    const rows: Row[] = [];
    for (let page = 1; page > 0;) {
      const separator = path.includes('?') ? '&' : '?';
      const answer = await api.get<Row[]>(`${path}${separator}per_page=100&page=${page}`);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.text}`);
      rows.push(...answer.body);
      page = Number(answer.headers.get('x-next-page') ?? 0);
    }
    return rows;
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.product.dispose();
    await this.drop();
  }
}
