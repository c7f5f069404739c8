import pg from 'pg';
import '#kernel/database/reads/pg-types.js';

/** A text that is prepared on each connection under its name; `Row` is what it gives. */
export interface Statement<Row> {
  readonly name: string;
  readonly text: string;
  /** Never there: carries the type. */
  readonly row?: Row;
}

/** A statement with its values. */
export interface Asked<Row> {
  readonly statement: Statement<Row>;
  readonly values: readonly unknown[];
}

type Rows<All extends readonly Asked<unknown>[]> = { -readonly [At in keyof All]: All[At] extends Asked<infer Row> ? Row[] : never };

/** A statement that is prepared. */
export const statement = <Row>(name: string, text: string): Statement<Row> => ({ name, text });

/** The parts of a statement that are sent. */
export const ask = <Row>(asked: Statement<Row>, ...values: unknown[]): Asked<Row> => ({ statement: asked, values });

/** The part of pg's client that its types leave out. */
interface Corked {
  readonly connection: { readonly stream: { cork(): void; uncork(): void } };
}

/** At most one NOTIFY in this time, as the product does. */
const COALESCE_MS = 20;
const NOTIFY = statement('notify', 'select pg_notify($1, $2)');

/** Ten connections on which statements do not wait for earlier responses. */
export class Database {
  private readonly pool: pg.Pool;
  private notifiedAt = 0;
  private waiting: NodeJS.Timeout | undefined;
  private waitingDelayMs = Number.POSITIVE_INFINITY;

  constructor(connectionString: string) {
    const config = { connectionString, max: 10, pipeline: true };
    this.pool = new pg.Pool(config);
  }

  /** Each statement by itself, all in one write. */
  async run<All extends readonly Asked<unknown>[]>(...asked: All): Promise<Rows<All>> {
    const client = await this.pool.connect();
    try {
      return await sendAll(client, [], asked, []);
    } finally {
      client.release();
    }
  }

  /** A transaction: it begins with the first statement, and ends with those sent by `commit`. */
  async transaction<Result>(work: (tx: Transaction) => Promise<Result>): Promise<Result> {
    const client = await this.pool.connect();
    try {
      return await work(new Transaction(client));
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      throw error;
    } finally {
      client.release();
    }
  }

  /** Notifies workers of jobs that are due in that many milliseconds; not awaited. */
  announce(delayMs = 0): void {
    this.waitingDelayMs = Math.min(this.waitingDelayMs, delayMs);
    if (this.waiting) return;
    const wait = Math.max(0, this.notifiedAt + COALESCE_MS - performance.now());
    if (wait === 0) this.notify();
    else this.waiting = setTimeout(() => this.notify(), wait);
  }

  private notify(): void {
    this.waiting = undefined;
    this.notifiedAt = performance.now();
    const payload = this.waitingDelayMs > 0 ? String(Math.ceil(this.waitingDelayMs)) : '';
    this.waitingDelayMs = Number.POSITIVE_INFINITY;
    this.run(ask(NOTIFY, 'forgeplane_jobs', payload)).catch(() => undefined);
  }
}

/** One connection within its transaction. */
export class Transaction {
  private hasBegun = false;

  constructor(private readonly client: pg.PoolClient) {}

  /** Statements that leave in one write. */
  send<All extends readonly Asked<unknown>[]>(...asked: All): Promise<Rows<All>> {
    return sendAll(this.client, this.begin(), asked, []);
  }

  /** The last of them: the end of the transaction leaves with them. */
  commit<All extends readonly Asked<unknown>[]>(...asked: All): Promise<Rows<All>> {
    return sendAll(this.client, this.begin(), asked, ['COMMIT']);
  }

  private begin(): readonly string[] {
    if (this.hasBegun) return [];
    this.hasBegun = true;
    return ['BEGIN'];
  }
}

async function sendAll<All extends readonly Asked<unknown>[]>(
  client: pg.PoolClient,
  before: readonly string[],
  asked: All,
  after: readonly string[],
): Promise<Rows<All>> {
  const { stream } = (client as unknown as Corked).connection;
  stream.cork();
  const sent = [
    ...before.map((text) => client.query(text)),
    ...asked.map(({ statement: { name, text }, values }) => client.query<pg.QueryResultRow>({ name, text, values: [...values] })),
    ...after.map((text) => client.query(text)),
  ];
  stream.uncork();
  const done = await Promise.allSettled(sent);
  const failed = done.find((one) => one.status === 'rejected');
  if (failed) throw failed.reason as Error;
  const results = done.flatMap((one) => (one.status === 'fulfilled' ? [one.value.rows] : []));
  return results.slice(before.length, before.length + asked.length) as unknown as Rows<All>;
}
