import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { connect, type Socket } from 'node:net';
import { Config } from '#kernel/config/config.js';
import { startApi, type TestApi } from '../../support/api.js';
import { bodyRoutes, streamingRoutes, type BodyRoute } from '../../support/bodies/body-routes.js';
import { BREAKAGES, sendBroken, STAGES } from '../../support/bodies/broken-bodies.js';
import { inParallel } from '../../support/installation.js';
import { startProduct, type Product } from '../../support/processes.js';

const SECRETS_KEY = 'a key of the tests with 32 characters or more';

// In a separate process, which the tested errors would end.
let api: TestApi;
let product: Product;
let routes: BodyRoute[];

beforeAll(async () => {
  api = await startApi({ SECRETS_KEY });
  routes = await bodyRoutes(api);
  const { DATA_DIR: dataDir } = api.app.get(Config);
  product = await startProduct({
    dataDir,
    readyWithin: 180_000,
    env: { PROCESS: 'all', DATABASE_URL: api.databaseUrl, SECRETS_KEY, LOG_LEVEL: 'warn' },
  });
});
afterAll(async () => {
  await product.dispose();
  await api.close();
});

const route = (name: string): BodyRoute => routes.find((one) => one.route.includes(name)) as BodyRoute;

async function send({ route: name, path, headers, type, body }: BodyRoute): Promise<number> {
  const [method = ''] = name.split(' /');
  const answer = await fetch(product.url + path, {
    method: /^[A-Z]+$/.test(method) ? method : 'POST',
    headers: { 'Content-Type': type, ...headers },
    body: new Uint8Array(body),
  });
  await answer.arrayBuffer();
  return answer.status;
}

async function othersAreServed(): Promise<void> {
  const answer = await fetch(`${product.url}/api/v4/projects`);
  await answer.arrayBuffer();
  expect([answer.status, product.output()]).toEqual([200, expect.not.stringContaining('Unhandled')]);
}

/** Begins as many clones as one repository gets slots for, and sends no more. */
function idleClones({ path, type }: BodyRoute): Socket[] {
  const { hostname, port } = new URL(product.url);
  return Array.from({ length: 8 }, () => {
    const socket = connect(Number(port), hostname);
    socket.on('error', () => undefined);
    socket.write(
      `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 1000\r\n\r\n0014`,
    );
    return socket;
  });
}

/** Sends every breakage to a route, at each stage; returns the wrong responses. */
async function attack(targets: readonly BodyRoute[], patienceMs: number): Promise<string[]> {
  const shots = targets.flatMap((target) =>
    BREAKAGES.flatMap((breakage) => STAGES.map((stage) => ({ target, breakage, stage }))),
  );
  const wrong: string[] = [];
  await inParallel(
    shots.length,
    async (number) => {
      const { target, breakage, stage } = shots[number - 1] as (typeof shots)[number];
      const status = await sendBroken(product.url, target, breakage, stage, patienceMs);
      if (status >= 500 && status !== 503)
        wrong.push(`${target.route}: ${breakage.name}, ${stage}: ${status}`);
    },
    16,
  );
  return wrong;
}

describe('broken bodies', () => {
  it('are sent to every route that reads its own body, and each accepts a valid one', async () => {
    const known = new Set(routes.map((one) => one.route));
    expect(streamingRoutes(api).filter((name) => !known.has(name))).toEqual([]);
    for (const one of routes) expect([one.route, await send(one)]).toEqual([one.route, expect.any(Number)]);
    const statuses = await Promise.all(routes.map(async (one) => `${await send(one)} ${one.route}`));
    expect(statuses.filter((text) => text.startsWith('5'))).toEqual([]);
  });

  it('end only their own request while all slots for git are taken', async () => {
    const pull = route('git-upload-pack');
    const idle = idleClones(pull);
    try {
      expect(await attack([pull, route('git-receive-pack')], 300)).toEqual([]);
      await othersAreServed();
    } finally {
      for (const socket of idle) socket.destroy();
    }
  });

  it('end only their own request on any route', async () => {
    expect(await attack(routes, 400)).toEqual([]);
    await othersAreServed();
    for (const one of routes) expect([one.route, (await send(one)) < 500]).toEqual([one.route, true]);
  });

  it('get 400 if their compression is broken', async () => {
    const inflating = routes.filter(({ route: name }) =>
      /git-|envelope|store|:slug|integrations|^JSON|^a form/.test(name),
    );
    const wrong: string[] = [];
    for (const one of inflating)
      for (const breakage of BREAKAGES.filter(({ isBadGzip }) => isBadGzip)) {
        const status = await sendBroken(product.url, one, breakage, 'at once', 5_000);
        // Git responds to the valid block before it receives the rest.
        const isBegun = status === 200 && /git-(upload|receive)-pack/.test(one.route);
        if (status !== 400 && !isBegun) wrong.push(`${one.route}: ${breakage.name}: ${status}`);
      }
    expect(wrong).toEqual([]);
  });
});
