import type pg from 'pg';
import { batchReach, wireOf } from '#kernel/libraries/pg-inside.js';
import { beginQuery } from '#kernel/log/request-context.js';
import { PreparedTexts } from './prepared-texts.js';
import { SettledClient } from '../sessions/settled-client.js';
import { readRowsAtOnce } from '../lanes/row-parser.js';
import { DescribedStatements } from './described-statements.js';
import { StatementBatch, type Asked } from './statement-batch.js';
import { isStaleStatement } from './database-errors.js';

/** Whether a call only controls the transaction and is not counted among the statements of a request. */
const CONTROL = /^(start transaction|begin|commit|rollback|savepoint|release)/i;

/** What comes before a savepoint is kept when what follows it is rolled back. */
const ENDS_GATHERING = /^(commit|rollback|savepoint)\b/i;

/** Limit of statements that wait for the next one; another one then sends them. */
const MAX_HELD = 20;

/** A statement as pg accepts it; named if it is prepared. */
type Query = string | { readonly name?: string; readonly text?: string; readonly values?: unknown[] };

/**
 * Statements waiting for the next one: whether the first one begins a transaction, and which of them count.
 */
interface Held {
  readonly batch: StatementBatch;
  readonly begins: boolean;
  readonly results: { readonly text: string; readonly result: Promise<unknown> }[];
}

/** Builds a single statement for everything to be written together at the end of a transaction. */
export type Gathering<Item> = (items: readonly Item[]) => Asked;

/**
 * Releases locks with the commit record, which by then has its place in the write-ahead log; later flushes
 * include it.
 */
const EARLY = { name: 'let_go_early', text: `select set_config('synchronous_commit', 'off', true)` };

/**
 * A write in a transaction of its own: its commit waits for the disk, including everything before it in the
 * log.
 */
const DURABLE = { text: `select pg_logical_emit_message(true, 'durable', '')` };

/** Results of a waiting begin, and of the end of a transaction that was never begun. */
const NOTHING = { command: '', rowCount: null, oid: null, rows: [], fields: [] };

const ignore = (): void => undefined;

/**
 * A client that counts and times every statement for its request, and prepares frequent ones, since planning
 * takes longer than running them. The begin of a transaction is sent with its first statement, in one write.
 */
export class CountedClient extends SettledClient {
  private busySince = 0;
  private readonly prepared = new PreparedTexts();
  private held: Held | undefined;
  private readonly gathered = new Map<Gathering<never>, unknown[]>();
  private isEarly = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    readRowsAtOnce(wireOf(this));
    // The pool listens while the client is idle, TypeORM while it is in use. If the connection breaks in
    // between, an unhandled error would end the process; the next user notices that it is closed.
    this.on('error', ignore);
  }

  /** Milliseconds for which the current statement has been running; 0 between statements. */
  get busyFor(): number {
    return this.busySince === 0 ? 0 : performance.now() - this.busySince;
  }

  /**
   * Runs a statement together with the next one; if it fails, the next one fails with its error. Returns a
   * promise of its result.
   */
  hold(asked: Asked, isCounted = true): Promise<pg.QueryResult> {
    if (!batchReach.available) return this.alone(asked);
    this.held ??= nothingHeld();
    const result = this.held.batch.add(this.named(asked));
    result.catch(ignore);
    if (isCounted) this.held.results.push({ text: asked.text, result });
    if (this.held.batch.size >= MAX_HELD) this.send(this.held);
    return result;
  }

  /**
   * Writes the gathered items in one statement with the commit, or before the next savepoint, since a
   * rollback to that would also undo them.
   */
  gather<Item>(gathering: Gathering<Item>, items: readonly Item[]): void {
    const known = this.gathered.get(gathering);
    if (!known) this.gathered.set(gathering, [...items]);
    // As arguments of one call, many thousands would overflow the stack.
    else for (const item of items) known.push(item);
  }

  /**
   * Makes the transaction release its locks with its commit record; the commit returns once it is on disk.
   * Sent with the next statement.
   */
  letGoEarly(): void {
    if (this.isEarly) return;
    this.isEarly = true;
    void this.hold(EARLY, false);
  }

  /** Runs the waiting statements if that result is among them. */
  flush(result: Promise<unknown>): void {
    if (this.held?.results.some((one) => one.result === result) === true) this.send(this.held);
  }

  // Reduces the overloads of pg's query to one form: (text or config, values?, callback?).
  override query(...args: unknown[]): never {
    const [config, values] = args as [Query | undefined, unknown];
    const text = typeof config === 'string' ? config : config?.text;
    if (text === 'START TRANSACTION' && args.length < 3) return this.begin() as never;
    if (this.gathered.size > 0 && text !== undefined) this.endGathering(text);
    const { isEarly } = this;
    const held = this.held ?? single(config, args);
    if (text === 'ROLLBACK' || text === 'COMMIT') this.isEarly = false;
    if (text === 'COMMIT' && isEarly) return this.commitEarly() as never;
    if (!held) return this.plain(args) as never;
    if (text?.startsWith('ROLLBACK') || (text === 'COMMIT' && held.begins && held.batch.size === 1)) {
      // The waiting statements would be rolled back: a savepoint is never among them.
      this.held = undefined;
      return (held.begins ? Promise.resolve(NOTHING) : this.plain(args)) as never;
    }
    if (text === undefined || !isJoinable(config, args)) return this.afterHeld(held, args) as never;
    const own = typeof config === 'object' ? config : { text };
    const asked = this.named({ ...own, text, values: (values ?? own.values) as unknown[] | undefined });
    const result = held.batch.add(asked);
    if (!CONTROL.test(text)) held.results.push({ text, result });
    this.send(held);
    return result as never;
  }

  /** Without batches: at once, in a separate round trip. */
  private alone({ text, values }: Asked): Promise<pg.QueryResult> {
    const result = this.plain(values ? [text, values] : [text]) as Promise<pg.QueryResult>;
    result.catch(ignore);
    return result;
  }

  private begin(): Promise<unknown> {
    this.isEarly = false;
    if (!batchReach.available) return this.alone({ text: 'START TRANSACTION' });
    const batch = new StatementBatch();
    batch.add({ text: 'START TRANSACTION' }).catch((error: unknown) => {
      // The next statement would be committed by itself.
      wireOf(this).stream.destroy();
      return error;
    });
    this.held = { batch, begins: true, results: [] };
    return Promise.resolve(NOTHING);
  }

  private endGathering(text: string): void {
    const [command] = ENDS_GATHERING.exec(text) ?? [];
    if (command === undefined) return;
    const isUndone = command.toLowerCase() === 'rollback';
    const all = [...this.gathered] as [Gathering<unknown>, unknown[]][];
    this.gathered.clear();
    if (!isUndone) for (const [gathering, items] of all) void this.hold(gathering(items));
  }

  private async commitEarly(): Promise<unknown> {
    const held = this.held ?? nothingHeld();
    const ask = (asked: Asked): Promise<pg.QueryResult> =>
      batchReach.available ? held.batch.add(asked) : this.alone(asked);
    const committed = ask({ text: 'COMMIT' });
    const durable = ask(DURABLE);
    durable.catch(ignore);
    if (batchReach.available) this.send(held);
    const result = await committed;
    try {
      await durable;
    } catch (error) {
      // Like a commit whose response is lost: never to be retried.
      throw Object.assign(new Error('A commit may not have reached the disk', { cause: error }), {
        code: '08006',
      });
    }
    return result;
  }

  private send(held: Held): void {
    this.held = undefined;
    for (const { text, result } of held.results) void this.counted(text, result);
    (super.query as (query: unknown) => unknown)(held.batch);
  }

  /** What cannot be batched (several statements in one text, a custom query class) runs after these. */
  private async afterHeld(held: Held, args: unknown[]): Promise<unknown> {
    const done = held.batch.add({ text: 'select' });
    this.send(held);
    await done;
    return this.plain(args);
  }

  private plain(args: unknown[]): unknown {
    const send = super.query.bind(this) as unknown as (...all: unknown[]) => unknown;
    const [config, values, ...rest] = args as [Query | undefined, ...unknown[]];
    const text = typeof config === 'string' ? config : config?.text;
    if (text === undefined || CONTROL.test(text) || isOwnKind(config)) return send(...args);
    const own = typeof config === 'object' ? config : { text };
    const asked =
      Array.isArray(values) || own.name !== undefined
        ? this.named({ ...own, text, values: values as unknown[] })
        : null;
    const all = [asked?.name === undefined ? config : { ...own, name: asked.name, text }, values, ...rest];
    const last = all.at(-1);
    if (typeof last !== 'function') return this.counted(text, send(...all) as Promise<unknown>);
    const callback = last as (...results: unknown[]) => void;
    const done = this.count(text);
    return send(...all.slice(0, -1), (...results: unknown[]) => {
      done(results[0]);
      callback(...results);
    });
  }

  private counted(text: string, result: Promise<unknown>): Promise<unknown> {
    const done = this.count(text);
    result.then(() => done(), done);
    return result;
  }

  private count(text: string): (error?: unknown) => void {
    const finished = beginQuery(text);
    this.busySince = performance.now();
    return (error) => {
      this.busySince = 0;
      if (error !== undefined && error !== null && isStaleStatement(error)) this.prepared.forget();
      finished();
    };
  }

  /** The same with a name, if it is prepared. */
  private named(asked: Asked): Asked {
    if (!batchReach.available) return asked;
    if (asked.name !== undefined) return { ...asked, name: asked.name + this.prepared.suffix };
    if (!asked.values || asked.values.length === 0) return asked;
    const naming = this.prepared.nameOf(asked.text);
    if (!naming) return asked;
    const connection = wireOf(this);
    for (const name of naming.forgotten) {
      // Sent with the next message, even within a failed transaction.
      connection.close({ type: 'S', name });
      Reflect.deleteProperty(connection.parsedStatements, name);
      DescribedStatements.of(connection).forget(name);
    }
    return { ...asked, name: naming.name };
  }
}

const nothingHeld = (): Held => ({ batch: new StatementBatch(), begins: false, results: [] });

const isOwnKind = (config: Query | undefined): boolean => typeof config === 'object' && 'submit' in config;

/**
 * A batch for a statement that is sent alone and may be prepared, so that its columns are known; undefined
 * for what pg sends itself.
 */
function single(config: Query | undefined, args: readonly unknown[]): Held | undefined {
  if (!batchReach.available || !isJoinable(config, args)) return undefined;
  const [, values] = args;
  const own = typeof config === 'object' ? config : {};
  const isPlain = own.name === undefined && ((values ?? own.values ?? []) as unknown[]).length === 0;
  return isPlain ? undefined : nothingHeld();
}

/** A statement with the promise of its result. */
function isJoinable(config: Query | undefined, args: readonly unknown[]): boolean {
  if (typeof args.at(-1) === 'function' || isOwnKind(config)) return false;
  const [, values] = args;
  const text = typeof config === 'string' ? config : (config?.text ?? '');
  return (Array.isArray(values) && values.length > 0) || !text.includes(';');
}
