import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { ApiClient } from './client.js';
import { createTestDatabase } from './database.js';
import { CHANGES_JOBS } from './wake-jobs.js';
import { ROOT_TOKEN, startProduct, type Product } from './processes.js';

/** A process of an installation, and a client with the administrator's token. */
export interface Member extends Product {
  readonly client: ApiClient;
}

/** Condition on background_jobs: no tick of a schedule. */
export const ASKED_FOR = `dedupe_key is distinct from 'schedule'`;

/** Several processes of the product on one database. */
export class Installation {
  private readonly members: Member[] = [];
  private readonly pool: pg.Pool;
  /** The object storage of processes without a DATA_DIR of the test: all processes of a database share one. */
  private readonly objects = mkdtempSync(join(tmpdir(), 'forgeplane-objects-'));

  private constructor(
    readonly databaseUrl: string,
    private readonly redisUrl: string | undefined,
    private readonly drop: () => Promise<void>,
  ) {
    this.pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
    this.pool.on('error', () => undefined);
  }

  /** On a new database of the test server, or on the given one. */
  static async create(
    options: { redisUrl?: string | undefined; databaseUrl?: string } = {},
  ): Promise<Installation> {
    if (options.databaseUrl !== undefined)
      return new Installation(options.databaseUrl, options.redisUrl, () => Promise.resolve());
    const database = await createTestDatabase();
    return new Installation(database.url, options.redisUrl, () => database.drop());
  }

  /** Starts one more process; `root` is the folder of another build. */
  async start(
    kind: 'all' | 'api' | 'worker',
    env: Readonly<Record<string, string>> = {},
    root?: string,
  ): Promise<Member> {
    const product = await startProduct({
      root,
      // Many processes start at once, on a machine with other load.
      readyWithin: 180_000,
      env: {
        PROCESS: kind,
        DATABASE_URL: this.databaseUrl,
        SECRETS_KEY: 'a key of the tests with 32 characters or more',
        LOG_LEVEL: 'warn',
        ...(this.redisUrl === undefined ? {} : { REDIS_URL: this.redisUrl }),
        ...(env['DATA_DIR'] === undefined ? { OBJECT_STORE_URL: pathToFileURL(this.objects).href } : {}),
        ...env,
      },
    });
    const member = { ...product, client: new ApiClient(product.url, ROOT_TOKEN) };
    this.members.push(member);
    return member;
  }

  /** Runs SQL next to the product. */
  async sql<Row extends object>(text: string, values: readonly unknown[] = []): Promise<Row[]> {
    const { rows } = await this.pool.query<Row>(text, [...values]);
    if (CHANGES_JOBS.test(text)) await this.pool.query('notify forgeplane_jobs');
    return rows;
  }

  /** The only number of a query's only row. */
  async count(text: string, values: readonly unknown[] = []): Promise<number> {
    const [row] = await this.sql<Record<string, unknown>>(text, values);
    return Number(Object.values(row ?? {})[0]);
  }

  /** Number of enqueued jobs, all or those in a state; excludes scheduled ones, which come and go. */
  jobs(state?: string): Promise<number> {
    return this.count(
      `select count(*) from background_jobs where ${ASKED_FOR} and state = coalesce($1, state)`,
      [state ?? null],
    );
  }

  /** Names and errors of the failed jobs. */
  async failedJobs(): Promise<string[]> {
    const rows = await this.sql<{ text: string }>(
      `select name || ': ' || coalesce(error_message, '') as text from background_jobs where state = 'failed' order by id`,
    );
    return rows.map(({ text }) => text);
  }

  /** Opens a transaction that holds the locks of a statement until the returned function is called. */
  async hold(text: string, values: readonly unknown[] = []): Promise<() => Promise<void>> {
    const client = new pg.Client({ connectionString: this.databaseUrl });
    client.on('error', () => undefined);
    await client.connect();
    await client.query('begin');
    await client.query(text, [...values]);
    return () => client.end();
  }

  /** Kills the remaining processes and drops the database. */
  async close(): Promise<void> {
    for (const member of this.members) await member.dispose();
    await this.pool.end();
    await this.drop();
    rmSync(this.objects, { recursive: true, force: true });
  }
}

/** Sum of a counter of the metrics over processes. */
export async function counted(
  members: readonly Member[],
  name: string,
  ...labels: string[]
): Promise<number> {
  let sum = 0;
  for (const { client } of members) {
    const { text } = await client.get('/-/metrics');
    for (const line of text.split('\n'))
      if (line.startsWith(`${name}{`) && labels.every((label) => line.includes(label)))
        sum += Number(line.split(' ').at(-1));
  }
  return sum;
}

/** Runs `work` for the numbers 1 to `count`, that many at a time, and returns the results in order. */
export async function inParallel<T>(
  count: number,
  work: (number: number) => Promise<T>,
  atOnce = count,
): Promise<T[]> {
  const results: T[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      const number = next;
      results[number - 1] = await work(number);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, lane));
  return results;
}
