import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Installation, type Member } from '../support/installation.js';
import { ROOT_TOKEN } from '../support/processes.js';

const EACH = 100;

describe('slow clients', () => {
  let installation: Installation;
  let product: Member;
  beforeAll(async () => {
    installation = await Installation.create();
    product = await installation.start('all', { REQUEST_TIMEOUT_MS: '12000' });
  });
  afterAll(() => installation.close());

  it('200 clients that send one byte a second hardly affect others, and are disconnected', async () => {
    const alone = await percentile99(3_000);
    const { hostname, port } = new URL(product.url);
    const closed: number[] = [];
    const sockets: Socket[] = [];
    const begun = Date.now();
    const open = (head: string): void => {
      const socket = connect(Number(port), hostname, () => socket.write(head));
      socket.on('error', () => undefined);
      socket.on('data', () => undefined);
      socket.on('close', () => closed.push(Date.now() - begun));
      sockets.push(socket);
    };
    for (let number = 0; number < EACH; number += 1) {
      open('GET /api/v4/projects HTTP/1.1\r\nHost: x\r\nX-Slow: ');
      open(
        `POST /api/v4/projects HTTP/1.1\r\nHost: x\r\nPRIVATE-TOKEN: ${ROOT_TOKEN}\r\n` +
          'Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"name": "',
      );
    }
    const trickle = setInterval(() => {
      for (const socket of sockets) if (socket.writable) socket.write('a');
    }, 1_000);
    const crowded = await percentile99(6_000);
    // The minimum allows for a machine with other load.
    expect(crowded).toBeLessThan(Math.max(2 * alone, 1_000));
    while (closed.length < 2 * EACH && Date.now() - begun < 40_000) await sleep(200);
    clearInterval(trickle);
    for (const socket of sockets) socket.destroy();
    expect(closed.length).toBe(2 * EACH);
    expect(Math.max(...closed)).toBeLessThan(30_000);
    expect((await product.client.get('/projects')).status).toBe(200);
  });

  async function percentile99(forMs: number): Promise<number> {
    const took: number[] = [];
    const end = Date.now() + forMs;
    const lane = async (): Promise<void> => {
      while (Date.now() < end) {
        const begun = performance.now();
        expect((await product.client.get('/projects')).status).toBe(200);
        took.push(performance.now() - begun);
        await sleep(5);
      }
    };
    await Promise.all([lane(), lane(), lane(), lane()]);
    took.sort((a, b) => a - b);
    return took[Math.floor(took.length * 0.99)] ?? 0;
  }
});
