import type { IncomingMessage } from 'node:http';

/** How often the silence is checked, within its limit. */
const LOOKS = 4;

/**
 * Ends an answer whose server has sent nothing for `limitMs` although its bytes were waited for. Time in which the
 * reader leaves received bytes unread does not count, which an idle time-out of the socket cannot tell apart: the
 * server is not read then.
 */
export function limitSilence(answer: IncomingMessage, limitMs: number): void {
  const { socket } = answer;
  let seen = socket.bytesRead;
  let since = performance.now();
  const look = (): void => {
    if (answer.complete) return;
    const isHeard = socket.bytesRead !== seen || answer.readableLength > 0;
    if (isHeard) {
      seen = socket.bytesRead;
      since = performance.now();
    } else if (performance.now() - since >= limitMs)
      answer.destroy(
        Object.assign(new Error(`The server was silent for ${limitMs} ms`), { code: 'ETIMEDOUT' }),
      );
  };
  const timer = setInterval(look, limitMs / LOOKS).unref();
  answer.once('close', () => clearInterval(timer));
}
