import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createEmptyDatabase, type TestDatabase } from '../support/database.js';
import { buildFormerRelease, FORMER_RELEASE, type FormerRelease } from '../support/former-release.js';
import { hasHaproxy, Haproxy } from '../support/haproxy.js';
import { Installation, type Member } from '../support/installation.js';
import { freePort } from '../support/processes.js';
import { SteadyLoad } from '../support/steady-load.js';
import { until } from '../support/until.js';

const PER_SECOND = 30;

// Both releases run on one schema: the upgrade, side by side, and the rollback.
(hasHaproxy ? describe : describe.skip)('an upgrade from the last release', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-upgrade-'));
  let former: FormerRelease;
  let database: TestDatabase;
  let installation: Installation;
  let ports: readonly [number, number];
  let proxy: Haproxy | undefined;

  beforeAll(async () => {
    former = await buildFormerRelease();
    database = await createEmptyDatabase();
    installation = await Installation.create({ databaseUrl: database.url });
    ports = [await freePort(), await freePort()];
  });
  afterAll(async () => {
    await proxy?.stop();
    await installation.close();
    await database.drop();
    former.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  const start = async (kind: 'api' | 'worker', root: string | undefined, port?: number): Promise<Member> => {
    const env = { DATA_DIR: dataDir, ...(port === undefined ? {} : { PORT: String(port) }) };
    const member = await installation.start(kind, env, root);
    await until(async () => (await member.client.get('/-/readiness')).status === 200);
    return member;
  };
  const releases = async (): Promise<string[]> => {
    const isThere = await installation.sql(`select 1 from pg_tables where tablename = 'releases'`);
    if (isThere.length === 0) return [FORMER_RELEASE];
    const rows = await installation.sql<{ version: string }>('select version from releases order by version');
    return rows.map(({ version }) => version);
  };

  it('and the rollback fail no request and lose no job', async () => {
    const apis: Member[] = [];
    for (const port of ports) apis.push(await start('api', former.root, port));
    let worker = await start('worker', former.root);
    if (!former.isStandIn) expect(await releases()).toEqual([FORMER_RELEASE]);
    const balancer = (proxy = await Haproxy.start(ports));
    const { client } = apis[0] as Member;
    await client.put('/application/settings', { issues_create_limit: 0 });
    const project = await client.post<{ id: number }>('/projects', { name: 'Upgraded' });
    const load = new SteadyLoad(proxy.url, `/api/v4/projects/${project.body.id}`, PER_SECOND);
    // The new release starts, runs alone, and stops again.
    for (const root of [undefined, former.root]) {
      for (const [index, port] of ports.entries()) {
        expect(await (apis[index] as Member).stop()).toBe(0);
        apis[index] = await start('api', root, port);
        await until(() => balancer.isUp(port));
      }
      expect(await worker.stop()).toBe(0);
      worker = await start('worker', root);
      await sleep(1_000);
    }
    const outcomes = await load.end();
    expect([...new Set(outcomes)].sort()).toEqual(['GET 200', 'POST 201', 'PUT 200']);
    const created = outcomes.filter((outcome) => outcome === 'POST 201').length;
    expect(await installation.count('select count(*) from issues')).toBe(created);
    expect(await releases()).not.toEqual([FORMER_RELEASE]);
    await until(async () => (await installation.jobs()) === 0, 60_000);
  });
});
