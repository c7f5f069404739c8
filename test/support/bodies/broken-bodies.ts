import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { BodyRoute } from './body-routes.js';

/** A broken body: the headers that announce it, the pieces that arrive, and how its sender ends. */
export interface Breakage {
  readonly name: string;
  readonly headers: (body: Buffer) => readonly string[];
  readonly pieces: (body: Buffer) => readonly Buffer[];
  readonly end: 'wait' | 'finish' | 'reset';
  /** Whether a route that inflates bodies must respond with 400. */
  readonly isBadGzip?: true;
}

const length = (bytes: number): string => `Content-Length: ${bytes}`;
const GZIP = 'Content-Encoding: gzip';
const CHUNKED = 'Transfer-Encoding: chunked';
const MEBIBYTE = 1024 * 1024;

const half = (body: Buffer): Buffer => body.subarray(0, body.length >> 1);
const chunk = (bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);

const packed = (name: string, make: (body: Buffer) => Buffer): Breakage => ({
  name,
  headers: (body) => [GZIP, length(make(body).length)],
  pieces: (body) => {
    const bytes = make(body);
    return [half(bytes), bytes.subarray(half(bytes).length)];
  },
  end: 'wait',
  isBadGzip: true,
});

const BOMB = gzipSync(Buffer.alloc(40 * MEBIBYTE, '0'));

/** The first block of the stream is valid. */
function garbageBehindBlock(body: Buffer): Buffer {
  const good = gzipSync(
    Buffer.concat([body, Buffer.from(Array.from({ length: 70_000 }, (_, n) => (n * n) & 255))]),
    {
      level: 1,
      chunkSize: 64,
    },
  );
  return Buffer.concat([good.subarray(0, good.length >> 1), Buffer.alloc(2_000, 0xff)]);
}

/** A dozen breakages. */
export const BREAKAGES: readonly Breakage[] = [
  packed('garbage behind a good block', garbageBehindBlock),
  packed('garbage behind all of it', (body) => Buffer.concat([gzipSync(body), Buffer.from('garbage')])),
  packed('no gzip at all', () => Buffer.from('no gzip at all')),
  packed('gzip cut off', (body) => half(gzipSync(Buffer.concat([body, body])))),
  {
    name: 'a bomb',
    headers: () => [GZIP, length(BOMB.length)],
    pieces: () => [half(BOMB), BOMB.subarray(half(BOMB).length)],
    end: 'wait',
  },
  ...(['finish', 'reset'] as const).flatMap((end): Breakage[] => [
    { name: `nothing of it, then ${end}`, headers: (body) => [length(body.length)], pieces: () => [], end },
    {
      name: `half of it, then ${end}`,
      headers: (body) => [length(body.length)],
      pieces: (body) => [half(body)],
      end,
    },
    {
      name: `all but a byte, then ${end}`,
      headers: (body) => [length(body.length)],
      pieces: (body) => [half(body), body.subarray(half(body).length, -1)],
      end,
    },
    {
      name: `all of it, then ${end}`,
      headers: (body) => [length(body.length)],
      pieces: (body) => [body],
      end,
    },
    { name: `a chunk, then ${end}`, headers: () => [CHUNKED], pieces: (body) => [chunk(half(body))], end },
    {
      name: `half of it packed, then ${end}`,
      headers: (body) => [GZIP, length(gzipSync(body).length)],
      pieces: (body) => [half(gzipSync(body))],
      end,
    },
  ]),
  {
    name: 'a chunk that is none',
    headers: () => [CHUNKED],
    pieces: (body) => [chunk(half(body)), Buffer.from('nonsense\r\n')],
    end: 'wait',
  },
  {
    name: 'half of it, and silence',
    headers: (body) => [length(body.length)],
    pieces: (body) => [half(body)],
    end: 'wait',
  },
  { name: 'a length too large', headers: () => [length(1e12)], pieces: (body) => [body], end: 'wait' },
  {
    name: 'more than is taken',
    headers: () => [CHUNKED],
    pieces: (body) => [chunk(half(body)), chunk(Buffer.alloc(12 * MEBIBYTE, '0'))],
    end: 'wait',
  },
  {
    name: 'not to its end',
    headers: (body) => [length(half(body).length)],
    pieces: (body) => [half(body)],
    end: 'wait',
  },
];

/** Where the sender pauses: immediately, during the request, or before its end. */
export const STAGES = ['at once', 'under way', 'at the end'] as const;

/** Sends a broken body; returns the status of the response, 0 without one. */
export async function sendBroken(
  base: string,
  route: BodyRoute,
  breakage: Breakage,
  stage: (typeof STAGES)[number],
  patienceMs: number,
): Promise<number> {
  const { hostname, port } = new URL(base);
  const socket = connect(Number(port), hostname);
  let answer = '';
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const answered = new Promise((resolve) =>
    socket.on('data', (piece) => {
      answer += piece.toString('latin1');
      resolve(undefined);
    }),
  );
  socket.on('error', () => undefined);
  const [method = 'POST'] = route.route.split(' /');
  const named = Object.entries(route.headers).map(([name, value]) => `${name}: ${value}`);
  const head = [
    `${/^[A-Z]+$/.test(method) ? method : 'POST'} ${route.path} HTTP/1.1`,
    'Host: x',
    ...named,
    `Content-Type: ${route.type}`,
    ...breakage.headers(route.body),
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n`);
  if (stage === 'under way') await sleep(30);
  const pieces = breakage.pieces(route.body);
  for (const [index, piece] of pieces.entries()) {
    if (stage === 'at the end' && index === pieces.length - 1) await sleep(30);
    socket.write(piece);
  }
  if (stage === 'at the end') await sleep(30);
  if (breakage.end === 'finish') socket.end();
  if (breakage.end === 'reset') socket.resetAndDestroy();
  await Promise.race([answered, closed, sleep(patienceMs)]);
  destroy(socket);
  await closed;
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0);
}

function destroy(socket: Socket): void {
  if (!socket.destroyed) socket.destroy();
}
