import { expect, it } from '@jest/globals';
import type { Response } from 'express';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { EventTimings } from '#kernel/http/streams/event-timings.js';
import { enterStream, MOST_STREAMS } from '#kernel/http/streams/open-streams.js';
import { LiveEventsService } from './live-events.service.js';

const MOVING = { items: [], isMoving: true, news: null };

/** Clients that leave as soon as `serve` has their request, one after the other. */
async function leave(
  times: number,
  serve: (response: Response, left: Promise<unknown>) => Promise<void>,
): Promise<void> {
  let served = Promise.resolve();
  const server = createServer((request, response) => {
    Object.assign(request, { readmit: () => Promise.resolve() });
    served = serve(response as unknown as Response, once(response, 'close'));
    client.destroy();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  let client = get({ port });
  for (let time = 0; time < times; time += 1) {
    if (time > 0) client = get({ port });
    await once(client, 'error');
    await served;
  }
  server.close();
}

it.each([
  ['before the stream begins', async (left: Promise<unknown>) => void (await left), () => Promise.resolve()],
  ['during the first look', () => Promise.resolve(), async (left: Promise<unknown>) => void (await left)],
])('a client that leaves %s holds no stream', async (_, before, during) => {
  const service = new LiveEventsService(new EventTimings());
  await leave(MOST_STREAMS, async (response, left) => {
    await before(left);
    const look = async (): Promise<typeof MOVING> => {
      await during(left);
      return MOVING;
    };
    await service.stream(response, look, null);
  });
  expect(() => enterStream()()).not.toThrow();
});
