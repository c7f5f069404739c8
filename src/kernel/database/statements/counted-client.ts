import pg from 'pg';
import { batchReach, wireOf } from '#kernel/libraries/pg-inside.js';
import { beginQuery } from '#kernel/log/request-context.js';
import { PreparedTexts } from './prepared-texts.js';
import { StatementBatch, type Asked } from './statement-batch.js';
import { isStaleStatement } from '../transactions.js';

/** Whether a call only steers the transaction: not what "statements of a request" means. */
const CONTROL = /^(start transaction|begin|commit|rollback|savepoint|release)/i;

/** What comes before a savepoint is kept when what follows it is undone. */
const ENDS_GATHERING = /^(commit|rollback|savepoint)\b/i;

/** As many as wait for the next statement; whatever comes then sends them. */
const MAX_HELD = 20;

/** A statement as pg takes it; named where it is prepared. */
type Query = string | { readonly name?: string; readonly text?: string; readonly values?: unknown[] };

/** What waits for the next statement: whether the begin of a transaction is its first, and what of it is to be counted. */
interface Held {
  readonly batch: StatementBatch;
  readonly begins: boolean;
  readonly results: Promise<unknown>[];
}

/** Makes one statement of all that is to be written together at the end of a transaction. */
export type Gathering<Item> = (items: readonly Item[]) => Asked;

/** Locks go with the commit record, which is in the order of the log by then; whatever is written to disk after it takes it along. */
const EARLY = { name: 'let_go_early', text: `select set_config('synchronous_commit', 'off', true)` };

/** Something written in a transaction of its own: its commit waits for the disk, for all that is in the log before it too. */
const DURABLE = { text: `select pg_logical_emit_message(true, 'durable', '')` };

/** What is answered to a begin that waits, and to the end of a transaction that was never begun. */
const NOTHING = { command: '', rowCount: null, oid: null, rows: [], fields: [] };

const ignore = (): void => undefined;

/**
 * A client that counts and times every statement for the request that runs it, and prepares those that it runs often: planning one anew takes
 * longer than running it. A transaction begins with its first statement, in one write.
 */
export class CountedClient extends pg.Client {
  private busySince = 0;
  private readonly prepared = new PreparedTexts();
  private held: Held | undefined;
  private readonly gathered = new Map<Gathering<never>, unknown[]>();
  private isEarly = false;

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens while it is idle, TypeORM while it is used. Cut in between it is nobody's, and an error that nobody hears would end
    // the process; whoever uses it next learns that it is gone.
    this.on('error', ignore);
  }

  /** Milliseconds that the statement which runs has taken so far; 0 between statements. */
  get busyFor(): number {
    return this.busySince === 0 ? 0 : performance.now() - this.busySince;
  }

  /** Runs a statement with the one that comes next; where it fails, that one fails with its error. Its result, for whoever wants it. */
  hold(asked: Asked, isCounted = true): Promise<pg.QueryResult> {
    if (!batchReach.available) return this.alone(asked);
    this.held ??= nothingHeld();
    const result = this.held.batch.add(this.named(asked));
    result.catch(ignore);
    if (isCounted) this.held.results.push(result);
    if (this.held.batch.size >= MAX_HELD) this.send(this.held);
    return result;
  }

  /** Writes what is gathered by one statement with the commit, or before the next savepoint: what is undone to there takes what came after along. */
  gather<Item>(gathering: Gathering<Item>, items: readonly Item[]): void {
    const known = this.gathered.get(gathering);
    if (!known) this.gathered.set(gathering, [...items]);
    // As arguments of one call many thousands would not fit the stack.
    else for (const item of items) known.push(item);
  }

  /** The transaction lets go of its locks with its commit, which is answered once the disk has it. Goes with what comes next. */
  letGoEarly(): void {
    if (this.isEarly) return;
    this.isEarly = true;
    void this.hold(EARLY, false);
  }

  /** Runs what waits, if that result is among it. */
  flush(result: Promise<unknown>): void {
    if (this.held?.results.includes(result) === true) this.send(this.held);
  }

  // The overloads of pg's query come down to one shape: (text or config, values?, callback?).
  override query(...args: unknown[]): never {
    const [config, values] = args as [Query | undefined, unknown];
    const text = typeof config === 'string' ? config : config?.text;
    if (text === 'START TRANSACTION' && args.length < 3) return this.begin() as never;
    if (this.gathered.size > 0 && text !== undefined) this.endGathering(text);
    const { held, isEarly } = this;
    if (text === 'ROLLBACK' || text === 'COMMIT') this.isEarly = false;
    if (text === 'COMMIT' && isEarly) return this.commitEarly() as never;
    if (!held) return this.plain(args) as never;
    if (text?.startsWith('ROLLBACK') || (text === 'COMMIT' && held.begins && held.batch.size === 1)) {
      // What waits would be undone: a savepoint is never among it.
      this.held = undefined;
      return (held.begins ? Promise.resolve(NOTHING) : this.plain(args)) as never;
    }
    if (text === undefined || !isJoinable(config, args)) return this.afterHeld(held, args) as never;
    const own = typeof config === 'object' ? config : { text };
    const asked = this.named({ ...own, text, values: (values ?? own.values) as unknown[] | undefined });
    const result = held.batch.add(asked);
    if (!CONTROL.test(text)) held.results.push(result);
    this.send(held);
    return result as never;
  }

  /** Without batches: at once, in a round trip of its own. */
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
      // What comes next would be committed by itself.
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
      // Like a commit whose answer is lost: never to be tried again.
      throw Object.assign(new Error('A commit may not have reached the disk', { cause: error }), {
        code: '08006',
      });
    }
    return result;
  }

  private send(held: Held): void {
    this.held = undefined;
    for (const result of held.results) void this.counted(result);
    (super.query as (query: unknown) => unknown)(held.batch);
  }

  /** What cannot join others (several statements in one text, somebody's own kind of query) is asked once these are done. */
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
    if (typeof last !== 'function') return this.counted(send(...all) as Promise<unknown>);
    const callback = last as (...results: unknown[]) => void;
    const done = this.count();
    return send(...all.slice(0, -1), (...results: unknown[]) => {
      done(results[0]);
      callback(...results);
    });
  }

  private counted(result: Promise<unknown>): Promise<unknown> {
    const done = this.count();
    result.then(() => done(), done);
    return result;
  }

  private count(): (error?: unknown) => void {
    const finished = beginQuery();
    this.busySince = performance.now();
    return (error) => {
      this.busySince = 0;
      if (error !== undefined && error !== null && isStaleStatement(error)) this.prepared.forget();
      finished();
    };
  }

  /** The same under a name, where it is prepared. */
  private named(asked: Asked): Asked {
    if (!batchReach.available) return asked;
    if (asked.name !== undefined) return { ...asked, name: asked.name + this.prepared.suffix };
    if (!asked.values || asked.values.length === 0) return asked;
    const naming = this.prepared.nameOf(asked.text);
    if (!naming) return asked;
    const connection = wireOf(this);
    for (const name of naming.forgotten) {
      // Goes with what is sent next, also within a transaction that has failed.
      connection.close({ type: 'S', name });
      Reflect.deleteProperty(connection.parsedStatements, name);
    }
    return { ...asked, name: naming.name };
  }
}

const nothingHeld = (): Held => ({ batch: new StatementBatch(), begins: false, results: [] });

const isOwnKind = (config: Query | undefined): boolean => typeof config === 'object' && 'submit' in config;

/** One statement with the promise of a result. */
function isJoinable(config: Query | undefined, args: readonly unknown[]): boolean {
  if (typeof args.at(-1) === 'function' || isOwnKind(config)) return false;
  const [, values] = args;
  const text = typeof config === 'string' ? config : (config?.text ?? '');
  return (Array.isArray(values) && values.length > 0) || !text.includes(';');
}
