import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { buildProjectTeam } from '../../support/builders/project-team.js';
import { hasPgbouncer, Pgbouncer } from '../../support/pgbouncer.js';
import { ReplicatedApi } from '../../support/replicated-api.js';

if (!hasPgbouncer) process.stderr.write('pgbouncer is not installed: the tests that need it are SKIPPED\n');

(hasPgbouncer ? describe : describe.skip)('a replica, with a pooler in front of the primary', () => {
  let world: ReplicatedApi;
  let bouncer: Pgbouncer;
  beforeAll(async () => {
    world = await ReplicatedApi.start(async ({ primary }) => {
      bouncer = await Pgbouncer.start(primary.url, { sessions: 8 });
      return {
        DATABASE_URL: bouncer.url,
        DATABASE_POOLER: 'transaction',
        DATABASE_DIRECT_URL: primary.url,
      };
    });
  });
  afterAll(async () => {
    await world.close();
    await bouncer.stop();
  });

  it('serves lists, and callers see their own writes', async () => {
    const { projectId, reporter, developer } = await buildProjectTeam(world.one);
    const path = `/projects/${projectId}/deployments`;
    for (const client of [reporter, developer]) await world.untilReplica(client, path);
    const deployment = {
      environment: 'production',
      ref: 'main',
      tag: false,
      status: 'success',
      sha: '1'.repeat(40),
    };
    const { status, body } = await developer.post<{ iid: number }>(path, deployment);
    expect(status).toBe(201);
    const noted = await world.postgres.primary.sql(
      `update recent_writers set wrote_at = wrote_at + interval '1 hour' where user_id <> 0 returning 1 as noted`,
    );
    expect(noted).toEqual([{ noted: 1 }]);
    const { answer, by } = await world.list(developer, path);
    expect([answer.body.map(({ iid }) => iid), by]).toEqual([[body.iid], { replica: 0, primary: 1 }]);
    await world.untilReplica(reporter, path);
  });
});
