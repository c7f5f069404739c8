import type { Response } from 'express';
import type { TakenBody } from '#kernel/http/bodies/taken-body.js';
import { BodyBudget } from '#kernel/http/bodies/body-budget.js';
import { PacketWalk } from './packet-walk.js';

/** Bytes that all requests together hold before git has been started for them. */
const MAX_HELD = 64 * 1024 * 1024;

const budget = new BodyBudget(MAX_HELD);

/** What of a body is held: its pieces so far, and whether that is enough to begin. */
type Enough = (piece: Buffer) => boolean;

/**
 * Reads a body as far as git needs it to begin: whoever has not said what they want gets no process. What was read is handed to `work`, which may
 * read on; nothing is done for a client that goes away. @throws what is wrong with the body; 503 when others hold too much already
 */
export function withStart(
  input: TakenBody,
  response: Response,
  isEnough: Enough,
  work: (start: Buffer) => Promise<void>,
): Promise<void> {
  return budget.use(async (watch) => {
    const pieces: Buffer[] = [];
    await readUntil(input, (piece) => {
      watch(piece.length);
      pieces.push(piece);
      return isEnough(piece);
    });
    if (!response.destroyed) await work(Buffer.concat(pieces));
  });
}

/** Reads pieces until one is enough, or there are no more; what is behind it stays to be read. */
async function readUntil(input: TakenBody, isEnough: Enough): Promise<void> {
  for (;;) {
    for (let piece = input.read() as Buffer | null; piece; piece = input.read() as Buffer | null)
      if (isEnough(piece)) return;
    input.refuseBroken();
    if (input.readableEnded || input.destroyed) return;
    await moreOf(input);
  }
}

/** Until there is something to read, or nothing more to come. */
function moreOf(input: TakenBody): Promise<void> {
  const events = ['readable', 'end', 'close'] as const;
  return new Promise((resolve) => {
    const go = (): void => {
      for (const event of events) input.off(event, go);
      resolve();
    };
    for (const event of events) input.on(event, go);
  });
}

/** Never before the end. */
export const wholeBody = (): Enough => () => false;

/** As soon as the packets before a pack have come, which an empty one ends. */
export function commandsOfPush(): Enough {
  const walk = new PacketWalk();
  let rest: Buffer = Buffer.alloc(0);
  return (piece) => {
    const bytes = rest.length > 0 ? Buffer.concat([rest, piece]) : piece;
    let ends = 0;
    const walked = walk.run(bytes, ({ length }) => {
      if (length === 0) ends += 1;
      return ends === 0;
    });
    rest = walked === null ? Buffer.alloc(0) : Buffer.from(bytes.subarray(walked));
    // What is no packet git itself refuses.
    return ends > 0 || walked === null;
  };
}
