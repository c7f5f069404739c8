import type { IncomingMessage, ServerResponse } from 'node:http';
import { wholeOf } from '#kernel/streams/pieces.js';
import { BodyBudget, FREE_BYTES, type BodyShare } from './body-budget.js';
import { readBoundedBody } from './bounded-body.js';
import { takeBody } from './taken-body.js';

/** Bytes of a JSON or form body (`decisions.md` 2.12). */
export const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** Bytes that such bodies hold together until they have been answered: they come before anybody knows who sends them. */
const budget = new BodyBudget(96 * 1024 * 1024);

/**
 * Reads the body of a request for a parser, unpacked. What it takes up counts until the answer is out, for the address that sent it.
 * @throws 400 for what is broken or cut off, 408, 413, 415, and 503 when bodies hold too much already
 */
export async function readWholeBody(request: IncomingMessage, response: ServerResponse): Promise<Buffer> {
  if (isShort(request)) return readBoundedBody(request, FREE_BYTES);
  const watch = countBody(response);
  const body = takeBody(request, { maxBytes: MAX_BODY_BYTES, inflate: 'any', watch });
  return wholeOf(body);
}

/** Counts the pieces of a body until the answer is out. */
export function countBody(response: ServerResponse): (piece: Buffer) => void {
  const count = countBytes(response);
  return (piece) => count(piece.length);
}

/** Counts what is kept of a body until the answer is out. */
export function countBytes(response: ServerResponse): BodyShare['watch'] {
  const share = budget.open();
  response.once('close', share.end);
  return share.watch;
}

/** Whether a body is not encoded, and too small to be counted. */
const isShort = ({ headers }: IncomingMessage): boolean =>
  headers['content-encoding'] === undefined &&
  headers['transfer-encoding'] === undefined &&
  Number(headers['content-length']) <= FREE_BYTES;
