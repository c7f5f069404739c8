import { Redis } from 'ioredis';
import { beginSpan } from '#kernel/log/request-context.js';

/** A connection whose commands become spans of the current request or job, if tracing is enabled. */
export class TracedRedis extends Redis {
  override sendCommand(...args: Parameters<Redis['sendCommand']>): unknown {
    const [command] = args;
    const attributes = { 'db.system.name': 'redis', 'db.operation.name': command.name };
    const span = beginSpan(`redis ${command.name}`, 'client', attributes);
    const result = super.sendCommand(...args);
    if (span)
      command.promise.then(
        () => span.end(),
        (error: unknown) => span.end({ error }),
      );
    return result;
  }
}
