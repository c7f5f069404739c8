import { expect, it } from '@jest/globals';
import { once } from 'node:events';
import { connect } from 'node:net';
import { MOVES_PAGE, startMoveWorld } from '../../../support/storage-move-pages.js';

it('a server stops immediately, whatever connections and event streams are open', async () => {
  const world = await startMoveWorld();
  const { hostname, port } = new URL(world.api.url);
  const silent = connect(Number(port), hostname);
  silent.on('error', () => undefined);
  await once(silent, 'connect');
  const until = new Date(Date.now() + 60_000).toISOString();
  const headers = { Cookie: world.admin.jar.header };
  const stream = await fetch(`${world.api.url}${MOVES_PAGE}/events?until=${until}`, { headers });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  const ended = once(silent, 'close');
  const begun = Date.now();
  await world.close();
  expect(Date.now() - begun).toBeLessThan(8_000);
  await ended;
  expect(await stream.text()).toBe('id: begun\n\n');
});
