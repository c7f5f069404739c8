import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { takeBody, type BodyOptions, type TakenBody } from './taken-body.js';

const GZIP = { 'content-encoding': 'gzip' };

function taken(options: Partial<BodyOptions>, headers = {}): { request: PassThrough; body: TakenBody } {
  // Like real requests, which stay open after they have been read.
  const request = new PassThrough({ autoDestroy: false });
  const body = takeBody(Object.assign(request, { headers }) as unknown as IncomingMessage, {
    maxBytes: 1_000,
    ...options,
  });
  return { request, body };
}

describe('a body that has been claimed', () => {
  it('is returned as it was sent, or inflated', async () => {
    const plain = taken({});
    plain.request.end('abc');
    expect((await buffer(plain.body)).toString()).toBe('abc');
    const packed = taken({ inflate: 'any' }, GZIP);
    packed.request.end(gzipSync('abc'));
    expect((await buffer(packed.body)).toString()).toBe('abc');
    for (const [encoding, pack] of [
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const other = taken({ inflate: 'any' }, { 'content-encoding': encoding });
      other.request.end(pack('abc'));
      expect((await buffer(other.body)).toString()).toBe('abc');
    }
    const asSent = taken({}, GZIP);
    asSent.request.end('no gzip');
    expect((await buffer(asSent.body)).toString()).toBe('no gzip');
  });

  it.each([
    ['garbage', 400, {}, (request: PassThrough) => request.end('no gzip')],
    ['truncated data', 400, {}, (request: PassThrough) => request.end(gzipSync('abc').subarray(0, 12))],
    ['a sender that leaves', 400, {}, (request: PassThrough) => request.destroy()],
    ['too much data', 413, {}, (request: PassThrough) => request.end(gzipSync(Buffer.alloc(2_000)))],
    ['silence', 408, { idleMs: 20 }, () => undefined],
  ])(
    'is destroyed by %s while it has no listener, and reports the error to later listeners',
    async (_name, status, options, break_) => {
      const { request, body } = taken({ inflate: 'any', ...options }, GZIP);
      break_(request);
      await once(body, 'close').catch(() => undefined);
      await nextTurn();
      await expect(buffer(body)).rejects.toMatchObject({ status });
      expect(() => body.refuseBroken()).toThrow(expect.objectContaining({ status }));
      // The response needs the connection.
      expect(request.destroyed).toBe(_name === 'a sender that leaves');
    },
  );

  it('can be refused by its watcher', async () => {
    const { request, body } = taken({
      watch: () => {
        throw new Error('not this one');
      },
    });
    request.write('abc');
    await expect(buffer(body)).rejects.toThrow('not this one');
  });

  it('is broken from the start if its sender has disconnected before', async () => {
    const request = new PassThrough();
    request.destroy();
    await once(request, 'close');
    const body = takeBody(Object.assign(request, { headers: {} }) as unknown as IncomingMessage, {
      maxBytes: 1,
    });
    expect(() => body.refuseBroken()).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('is given up if its sender is too slow', async () => {
    const { request, body } = taken({ idleMs: 100 });
    const drip = setInterval(() => request.write('a'), 10);
    body.resume();
    await once(body, 'close').catch(() => undefined);
    clearInterval(drip);
    expect(() => body.refuseBroken()).toThrow(expect.objectContaining({ status: 408 }));
  });

  it('can stay unread for longer than its sender may be silent', async () => {
    const { request, body } = taken({ idleMs: 20 });
    request.write('abc');
    await sleep(100);
    body.refuseBroken();
    request.end();
    expect((await buffer(body)).toString()).toBe('abc');
  });

  it('is refused immediately if the request declares it too large, or in an unknown encoding', () => {
    expect(() => taken({}, { 'content-length': '1001' })).toThrow(expect.objectContaining({ status: 413 }));
    expect(() => taken({ inflate: 'any' }, { 'content-encoding': 'zstd' })).toThrow(
      expect.objectContaining({ status: 415 }),
    );
    expect(() => taken({ inflate: 'gzip' }, { 'content-encoding': 'br' })).toThrow(
      expect.objectContaining({ status: 415 }),
    );
  });
});
