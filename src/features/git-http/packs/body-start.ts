import type { Response } from 'express';
import type { TakenBody } from '#kernel/http/bodies/taken-body.js';
import { BodyBudget } from '#kernel/http/bodies/body-budget.js';
import { Pieces } from '#kernel/streams/pieces.js';
import { PacketWalk } from './packet-walk.js';

/** Limit of bytes that all requests together hold before git is started for them. */
const MAX_HELD = 64 * 1024 * 1024;

const budget = new BodyBudget(MAX_HELD);

/** Adds a chunk; returns whether the body so far suffices to start git. */
type Enough = (piece: Buffer) => boolean;

/**
 * Reads a body until git can start: an incomplete request gets no process. Passes it to `work`, which may
 * read further; does nothing for a client that has left. @throws errors of the body; 503 if others hold too
 * much already
 */
export function withStart(
  input: TakenBody,
  response: Response,
  isEnough: Enough,
  work: (start: Buffer) => Promise<void>,
): Promise<void> {
  return budget.use(async (watch) => {
    const pieces = new Pieces();
    await readUntil(input, (piece) => {
      watch(piece.length);
      pieces.add(piece);
      return isEnough(piece);
    });
    if (!response.destroyed) await work(pieces.take());
  });
}

/** Reads chunks until they suffice or end; the rest is left unread. */
async function readUntil(input: TakenBody, isEnough: Enough): Promise<void> {
  for (;;) {
    for (let piece = input.read() as Buffer | null; piece; piece = input.read() as Buffer | null)
      if (isEnough(piece)) return;
    input.refuseBroken();
    if (input.readableEnded || input.destroyed) return;
    await moreOf(input);
  }
}

/** Waits until there is something to read, or the end. */
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

/** Waits for the whole body. */
export const wholeBody = (): Enough => () => false;

/** Waits for the commands before a pack, which an empty packet ends. */
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
    // Git itself rejects invalid packets.
    return ends > 0 || walked === null;
  };
}
