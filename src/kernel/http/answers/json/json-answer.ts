import { createHash } from 'node:crypto';
import type { Response } from 'express';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { entityTag, isUnmodified } from '../conditional.js';
import { JsonText } from '../../json-text.js';
import type { ApiRequest } from '../../request.js';
import { isDivisible, jsonPieces } from './json-pieces.js';

/** Characters or bytes of JSON that are made, hashed and written before others have a turn. */
const AT_ONCE = 256 * 1024;
/** Characters from which on bytes are made at once: until the client takes a text, the socket has a copy of it. */
const MAX_TEXT = 64 * 1024;

/** Answers with JSON: content type without charset, length, weak entity tag. A promise only of a long answer, which is made in pieces. */
export function writeJson(response: Response, body: unknown): void | Promise<void> {
  if (body instanceof JsonText) {
    const { buffer, byteOffset, byteLength } = body.bytes;
    return writeWhole(response, Buffer.from(buffer, byteOffset, byteLength));
  }
  if (!isDivisible(body)) return writeWhole(response, JSON.stringify(body));
  let text = '';
  const pieces = jsonPieces(body);
  for (let next = pieces.next(); next.done !== true; next = pieces.next()) {
    text += next.value;
    if (text.length > AT_ONCE) return writeLong(response, text, pieces);
  }
  return writeWhole(response, text);
}

function* slices(bytes: Buffer): Generator<Buffer, void> {
  for (let at = 0; at < bytes.length; at += AT_ONCE) yield bytes.subarray(at, at + AT_ONCE);
}

function writeWhole(response: Response, text: string | Buffer): void | Promise<void> {
  if (text.length > AT_ONCE)
    return writeLong(response, '', slices(typeof text === 'string' ? Buffer.from(text) : text));
  const isKnown = writeHead(response, () => entityTag(text), Buffer.byteLength(text));
  if (isKnown || response.req.method === 'HEAD') response.end();
  // A text leaves in one write with the headers.
  else response.end(text.length > MAX_TEXT && typeof text === 'string' ? Buffer.from(text) : text);
}

/** Makes all of it before any of it is sent: its length and tag come first. */
async function writeLong(response: Response, begun: string, rest: Iterable<string | Buffer>): Promise<void> {
  const chunks: Buffer[] = [];
  const hash = createHash('sha1');
  let length = 0;
  const take = async (chunk: Buffer): Promise<void> => {
    chunks.push(chunk);
    hash.update(chunk);
    length += chunk.length;
    await nextTurn();
  };
  let text = begun;
  for (const piece of rest) {
    if (typeof piece === 'string') text += piece;
    else await take(piece);
    if (text.length <= AT_ONCE) continue;
    await take(Buffer.from(text));
    text = '';
    if (response.destroyed) return;
  }
  await take(Buffer.from(text));
  // The time-out was quicker.
  if (response.headersSent || response.writableEnded) return;
  const isKnown = writeHead(response, () => `W/"${hash.digest('hex')}"`, length);
  // All at once, without waiting for the client: what it leaves lying is counted and bounded by the socket.
  if (!isKnown && response.req.method !== 'HEAD') for (const chunk of chunks) response.write(chunk);
  response.end();
}

/** Sets the headers; true if the client already has all of it, and the answer says so. */
function writeHead(response: Response, tagOf: () => string, length: number): boolean {
  const request = response.req as ApiRequest;
  if (!response.hasHeader('Content-Type')) response.setHeader('Content-Type', 'application/json');
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  // Responses that must not be stored are never revalidated.
  const isStorable = response.getHeader('Cache-Control') !== 'no-store';
  if (isRead && isStorable && response.statusCode === 200 && !response.hasHeader('ETag')) {
    const tag = tagOf();
    response.setHeader('ETag', tag);
    if (isUnmodified(request.headers['if-none-match'], tag)) {
      response.statusCode = 304;
      response.removeHeader('Content-Type');
      return true;
    }
  }
  response.setHeader('Content-Length', length);
  return false;
}
