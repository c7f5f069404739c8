import pg from 'pg';
import { beginQuery } from '#kernel/log/request-context.js';

/** Whether a call only steers the transaction: not what "statements of a request" means. */
const CONTROL = /^(start transaction|begin|commit|rollback|savepoint|release)/i;

/** A client that counts and times every statement for the request that runs it. */
export class CountedClient extends pg.Client {
  private busySince = 0;

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
    const [config] = args as [string | { text?: string } | undefined];
    const text = typeof config === 'string' ? config : config?.text;
    if (text !== undefined && CONTROL.test(text)) return send(...args) as never;
    const finished = beginQuery();
    this.busySince = performance.now();
    const done = (): void => {
      this.busySince = 0;
      finished();
    };
    const last = args.at(-1);
    if (typeof last === 'function') {
      const callback = last as (...results: unknown[]) => void;
      const counted = (...results: unknown[]): void => {
        done();
        callback(...results);
      };
      return send(...args.slice(0, -1), counted) as never;
    }
    const result = send(...args);
    if (result instanceof Promise) result.then(done, done);
    return result as never;
  }
}
