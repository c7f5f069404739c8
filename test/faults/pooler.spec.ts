import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkingCopy } from '../support/git.js';
import { Installation, type Member } from '../support/installation.js';
import { hasPgbouncer, Pgbouncer } from '../support/pgbouncer.js';
import { PooledLoad, throughPooler } from '../support/pooled-load.js';

const REQUESTS = 10_000;
/** Of the 18 connections of each of three processes under load. */
const SESSIONS = 16;

(hasPgbouncer ? describe : describe.skip)('many requests through PgBouncer in transaction mode', () => {
  let installation: Installation;
  let bouncer: Pgbouncer;
  const apis: Member[] = [];
  const work = new WorkingCopy();
  /** Of all processes: the worker measures the repositories that the others write. */
  const dataDir = mkdtempSync(join(tmpdir(), 'forgeplane-pooler-'));
  beforeAll(async () => {
    installation = await Installation.create();
    bouncer = await Pgbouncer.start(installation.databaseUrl, { sessions: SESSIONS });
    const env = { ...throughPooler(installation, bouncer.url), DATA_DIR: dataDir };
    for (const kind of ['api', 'api', 'worker'] as const) {
      const member = await installation.start(kind, env);
      if (kind === 'api') apis.push(member);
    }
    await work.init();
    await work.commit({ 'a.txt': 'a', '.gitlab-ci.yml': 'job: { script: [ls] }\n' });
  });
  afterAll(async () => {
    await installation.close();
    await bouncer.stop();
    work.remove();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it(
    'all get the right responses',
    async () => {
      const load = await PooledLoad.prepare(apis as [Member, Member], work);
      const outcomes = await load.run(REQUESTS);
      process.stdout.write(`${JSON.stringify(outcomes)}\n`);
      const refused = Object.keys(outcomes).filter((outcome) => !/ (20[01]|done|left)$/.test(outcome));
      expect(refused).toEqual(['unknown 404']);
      expect(Object.values(outcomes).reduce((sum, count) => sum + count, 0)).toBe(REQUESTS);
      expect(await bouncer.sessions()).toBeLessThanOrEqual(SESSIONS);
      expect(await bouncer.clients()).toBeGreaterThan(SESSIONS);
      expect(await installation.failedJobs()).toEqual([]);
    },
    20 * 60_000,
  );
});
