import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createEmptyDatabase } from '../../support/database.js';
import { WorkingCopy } from '../../support/git.js';
import { Installation, type Member } from '../../support/installation.js';
import { launch } from '../../support/launch.js';
import { hasPgbouncer, Pgbouncer } from '../../support/pgbouncer.js';
import { PooledLoad, throughPooler } from '../../support/pooled-load.js';
import { TestRunner } from '../../support/runner/runner.js';
import { until } from '../../support/until.js';

if (!hasPgbouncer) process.stderr.write('pgbouncer is not installed: the tests that need it are SKIPPED\n');

/** Of the 18 connections of a process under load. */
const SESSIONS = 8;

(hasPgbouncer ? describe : describe.skip)('the service behind PgBouncer in transaction mode', () => {
  let installation: Installation;
  let bouncer: Pgbouncer;
  const work = new WorkingCopy();
  const others: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    installation = await Installation.create();
    bouncer = await Pgbouncer.start(installation.databaseUrl, { sessions: SESSIONS });
    await work.init();
    await work.commit({ 'a.txt': 'a', '.gitlab-ci.yml': 'job: { script: [echo done by a runner] }\n' });
  });
  afterEach(async () => {
    for (const one of others.splice(0).reverse()) await one();
  });
  afterAll(async () => {
    await installation.close();
    await bouncer.stop();
    work.remove();
  });

  const start = (kind: 'all' | 'api' | 'worker'): Promise<Member> =>
    installation.start(kind, throughPooler(installation, bouncer.url));

  it('serves requests, pushes and runners over fewer sessions than it has connections', async () => {
    const all = await start('all');
    const load = await PooledLoad.prepare([all], work);
    const outcomes = await load.run(400);
    expect(Object.keys(outcomes).filter((outcome) => !/ (20[01]|done|left)$/.test(outcome))).toEqual([
      'unknown 404',
    ]);
    const { body } = await all.client.get<{ runners_token: string }>('/projects/root%2Fpooled');
    const runner = await TestRunner.register(all.url, body.runners_token);
    await until(
      async () => (await all.client.get<unknown[]>('/projects/root%2Fpooled/jobs')).body.length > 0,
    );
    expect(await runner.runOne()).toMatchObject({ state: 'success' });
    expect(await bouncer.sessions()).toBeLessThanOrEqual(SESSIONS);
    expect(await bouncer.clients()).toBeGreaterThan(SESSIONS);
    // Only the connection that listens goes past the pooler.
    const direct = await installation.sql(
      `select from pg_stat_activity where datname = current_database() and application_name = 'forgeplane-listen'`,
    );
    expect(direct).toHaveLength(1);
    expect(await installation.failedJobs()).toEqual([]);
    expect(all.output()).not.toContain('DeprecationWarning');
    expect(await all.stop()).toBe(0);
  });

  it('runs jobs of another process immediately, without Redis', async () => {
    const [api] = await Promise.all([start('api'), start('worker')]);
    const { body: project } = await api.client.post<{ id: number }>('/projects', { name: 'Asked for' });
    const path = `/projects/${project.id}/export_relations`;
    const begun = performance.now();
    expect((await api.client.post(path)).status).toBe(202);
    await until(async () => {
      const { body } = await api.client.get<{ status: number }[]>(`${path}/status`);
      return body.length > 0 && body.every(({ status }) => status === 1);
    }, 60_000);
    // Without a notification a worker would look after 30 seconds.
    expect(performance.now() - begun).toBeLessThan(20_000);
  });

  it('contradictory settings are reported at the start', async () => {
    const other = await createEmptyDatabase();
    others.push(() => other.drop());
    const sessions = await Pgbouncer.start(installation.databaseUrl, { sessions: 2, mode: 'statement' });
    others.push(() => sessions.stop());
    const pooled = throughPooler(installation, bouncer.url);
    const cases: readonly (readonly [Record<string, string>, RegExp])[] = [
      [
        { DATABASE_URL: bouncer.url },
        /^DATABASE_URL points to a pooler \(unsupported startup parameter.*\): set DATABASE_POOLER=transaction, and DATABASE_DIRECT_URL/,
      ],
      [
        { DATABASE_URL: bouncer.url, DATABASE_POOLER: 'transaction' },
        /DATABASE_DIRECT_URL must be a postgres:\/\/ URL that bypasses the pooler \(required with DATABASE_POOLER=transaction\)$/,
      ],
      [{ DATABASE_POOLER: 'transaction' }, /DATABASE_POOLER must be none with the embedded database/],
      [
        { DATABASE_URL: bouncer.url, DATABASE_DIRECT_URL: installation.databaseUrl },
        /DATABASE_DIRECT_URL must not be set unless DATABASE_POOLER=transaction$/,
      ],
      [
        { ...pooled, DATABASE_DIRECT_URL: sessions.url },
        /^DATABASE_DIRECT_URL points to a pooler \(unsupported startup parameter.*\): set it to the URL of PostgreSQL itself/,
      ],
      [
        { ...pooled, DATABASE_DIRECT_URL: other.url },
        /point to different databases: both must point to the same one/,
      ],
      [
        { ...pooled, DATABASE_URL: sessions.url },
        /^DATABASE_URL does not point to a usable pooler \(.*statement/,
      ],
    ];
    const said = await Promise.all(
      cases.map(async ([env]) => {
        const begun = launch('dist/app/main.js', {
          PORT: '0',
          HOST: '127.0.0.1',
          DATA_DIR: work.path,
          SECRETS_KEY: 'k'.repeat(40),
          START_TIMEOUT_SECONDS: '5',
          ...env,
        });
        await begun.ended;
        return begun.problems().trim();
      }),
    );
    for (const [index, [, expected]] of cases.entries()) expect(said[index]).toMatch(expected);
  });
});
