import pg from 'pg';
import { beginQuery } from '#kernel/log/request-context.js';
import { PreparedTexts } from './prepared-texts.js';
import { isStaleStatement } from './transactions.js';

/** Whether a call only steers the transaction: not what "statements of a request" means. */
const CONTROL = /^(start transaction|begin|commit|rollback|savepoint|release)/i;

/** The parts of pg's client that its type definitions leave out. */
interface ClientInternals {
  readonly connection: {
    readonly parsedStatements: Record<string, string>;
    close(what: { type: 'S'; name: string }): void;
  };
}

/** A statement as pg takes it; named where it is prepared. */
type Query = string | { readonly name?: string; readonly text?: string; readonly values?: unknown[] };

/**
 * A client that counts and times every statement for the request that runs it, and prepares those that it runs often: planning one anew takes
 * longer than running it.
 */
export class CountedClient extends pg.Client {
  private busySince = 0;
  private readonly prepared = new PreparedTexts();

  constructor(config?: string | pg.ClientConfig) {
    super(config);
    // The pool listens while it is idle, TypeORM while it is used. Cut in between it is nobody's, and an error that nobody hears would end
    // the process; whoever uses it next learns that it is gone.
    this.on('error', () => undefined);
  }

  /** Milliseconds that the statement which runs has taken so far; 0 between statements. */
  get busyFor(): number {
    return this.busySince === 0 ? 0 : performance.now() - this.busySince;
  }

  // The overloads of pg's query come down to one shape: (text or config, values?, callback?).
  override query(...args: unknown[]): never {
    const send = super.query.bind(this) as unknown as (...all: unknown[]) => unknown;
    const [config, values, ...rest] = args as [Query | undefined, ...unknown[]];
    const text = typeof config === 'string' ? config : config?.text;
    if (text !== undefined && CONTROL.test(text)) return send(...args) as never;
    const all = [this.named(config, values), values, ...rest];
    const finished = beginQuery();
    this.busySince = performance.now();
    const done = (error?: unknown): void => {
      this.busySince = 0;
      if (error !== undefined && error !== null && isStaleStatement(error)) this.prepared.forget();
      finished();
    };
    const last = all.at(-1);
    if (typeof last === 'function') {
      const callback = last as (...results: unknown[]) => void;
      const counted = (...results: unknown[]): void => {
        done(results[0]);
        callback(...results);
      };
      return send(...all.slice(0, -1), counted) as never;
    }
    const result = send(...all);
    if (result instanceof Promise) result.then(() => done(), done);
    return result as never;
  }

  /** The same under a name, where it is prepared. */
  private named(config: Query | undefined, values: unknown): Query | undefined {
    if (typeof config === 'object') {
      const { suffix } = this.prepared;
      return suffix === '' || config.name === undefined ? config : { ...config, name: config.name + suffix };
    }
    if (config === undefined || !Array.isArray(values) || values.length === 0) return config;
    const naming = this.prepared.nameOf(config);
    if (!naming) return config;
    const { connection } = this as unknown as ClientInternals;
    for (const name of naming.forgotten) {
      // Goes with what is sent next, also within a transaction that has failed.
      connection.close({ type: 'S', name });
      delete connection.parsedStatements[name];
    }
    return { name: naming.name, text: config };
  }
}
