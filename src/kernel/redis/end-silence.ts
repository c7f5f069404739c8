import type { Redis } from 'ioredis';

const LOOKS = 8;

/**
 * Closes a connection on which Redis owes a response, or the close of the connection, and has sent nothing for `limitMs`. A lost machine
 * closes no connection, and TCP notices after a quarter of an hour. A process that was itself blocked must first read
 * what arrived in that time: so only several checks in a row count. The `socketTimeout` of ioredis does not wait for that, and its timer
 * outlives the connection and then closes the next one.
 */
export function endSilence(redis: Redis, limitMs: number): void {
  redis.on('connect', () => {
    const { stream } = redis;
    let received = stream.bytesRead;
    let silentLooks = 0;
    const timer = setInterval(() => {
      if (stream.destroyed) {
        clearInterval(timer);
        return;
      }
      const isOwed = redis.commandQueue.length > 0 || stream.writableEnded;
      silentLooks = isOwed && stream.bytesRead === received ? silentLooks + 1 : 0;
      received = stream.bytesRead;
      // The first one may directly follow the command.
      if (silentLooks > LOOKS) stream.destroy(new Error(`Redis has not responded for ${limitMs / 1_000} s`));
    }, limitMs / LOOKS).unref();
  });
}
