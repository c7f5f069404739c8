import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { startFilledSource, type FilledSource } from '../support/migration/far-end.js';
import { HastyEnd } from '../support/migration/hasty-end.js';
import { downloadOf, hangUp, slow, status, whenever } from '../support/migration/lies.js';
import { SourceProxy, type Fault } from '../support/migration/source-proxy.js';

/** Long enough that some relations are tried three times. */
const DOWN_MS = 1_300;

/** Requests for each entity, and relations that at least one of them has. */
const COUNTED = /export_relations$|relation=(labels|issues|merge_requests)(&|$)|\/(members|subgroups)\?/;

let source: FilledSource;
let proxy: SourceProxy;
let end: HastyEnd;
beforeAll(async () => {
  [source, end] = await Promise.all([startFilledSource(3, 60), HastyEnd.start()]);
  proxy = await SourceProxy.start(source.instance.url);
});
afterAll(async () => {
  await proxy.stop();
  await end.close();
  await source.instance.close();
});
beforeEach(async () => {
  proxy.heal();
  await end.clear();
});

it('a migration waits for a source that is down for a while', async () => {
  let downAt = Infinity;
  // Git waits longer than the test.
  proxy.faults = [
    (request, response) => {
      if (proxy.passed.length > 60 && downAt === Infinity) downAt = Date.now();
      if (Date.now() < downAt || Date.now() > downAt + DOWN_MS || /\.git\//.test(request.path)) return false;
      hangUp(response, request);
      return true;
    },
  ];
  const ended = await end.migrate(proxy.url, source.token);
  expect(ended).toMatchObject({ status: 'finished', has_failures: false });
  expect(Date.now()).toBeGreaterThan(downAt + DOWN_MS);
  expect(await end.tally()).toEqual(source.tally);
});

it('a migration pauses as long as a source that limits requests asks', async () => {
  const refused = new Map<string, number>();
  const limit: Fault[] = [
    ({ path, at }, response) => {
      if (!COUNTED.test(path) || refused.has(path)) return false;
      refused.set(path, at);
      status(429, { 'Retry-After': '2' })(response, { method: 'GET', path, at });
      return true;
    },
  ];
  const ended = await end.migrate(proxy.url, source.token, () => {
    proxy.faults = limit;
  });
  expect(ended).toMatchObject({ status: 'finished', has_failures: false });
  const again = proxy.passed.filter(({ path, at }) => at > (refused.get(path) ?? Infinity));
  expect(again.length).toBeGreaterThan(15);
  const pauses = [...refused].map(
    ([path, at]) => (again.find((each) => each.path === path)?.at ?? Infinity) - at,
  );
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(1_990);
  expect(await end.tally()).toEqual(source.tally);
});

it('a slow, silent or failing response loses only its data, which is imported later', async () => {
  proxy.faults = [
    whenever(downloadOf('issues'), slow),
    whenever(downloadOf('merge_requests'), status(500)),
    whenever(/\/groups\/\d+\/export_relations\/status\?relation=epics/, (response) => {
      // It never responds.
      void sleep(20_000, undefined, { ref: false }).then(() => response.destroy());
    }),
  ];
  const ended = await end.migrate(proxy.url, source.token);
  expect(ended).toMatchObject({ status: 'finished', has_failures: true });
  expect(await end.reasons(ended.id)).toEqual([
    'epics SourceBusy The host does not respond',
    'issues SourceBusy The response takes too long',
    expect.stringMatching(
      /^merge_requests SourceBusy The source instance answered 500 to GET \/projects\/\d+/,
    ),
  ]);
  expect(await end.tally()).toMatchObject({
    issues: 0,
    merge_requests: 0,
    epics: 0,
    labels: source.tally['labels'],
  });
  proxy.heal();
  const completed = await end.resume(ended.id);
  expect(await end.reasons(ended.id)).toEqual([]);
  expect(completed).toMatchObject({ status: 'finished', has_failures: false });
  expect(await end.tally()).toEqual(source.tally);
});
