import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { consistencyChecks } from '../../src/cli/doctor/doctor-checks.js';
import { buildIssue } from '../support/builders/issue.js';
import { Installation, type Member } from '../support/installation.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';
import { until } from '../support/until.js';

const CHECK = consistencyChecks.find(({ check }) => check.startsWith('tallies of issues'))?.sql ?? '';

const WAITING = `select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
  and query like '%issue_tallies%'`;

const LOOSE = 'select count(*) from issue_tallies where not folded';

/**
 * Issues of one author: each has its own tallies until they are folded, one for all and one for open ones.
 */
const ISSUES = 12;
const TALLIES = 2;

describeWithRedis('a worker that is killed while it folds tallies', () => {
  let redis: TestRedis | undefined;
  let installation: Installation;
  let api: Member;
  let projectId: number;
  beforeEach(async () => {
    redis = await createTestRedis();
    installation = await Installation.create({ redisUrl: redis?.url });
    api = await installation.start('api');
    const project = await api.client.post<{ id: number }>('/projects', { name: 'counted' });
    projectId = project.body.id;
    for (let count = 0; count < ISSUES; count += 1) await buildIssue(api.client, projectId);
  });
  afterEach(async () => {
    await installation.close();
    await redis?.drop();
  });

  const total = async (): Promise<string | null> =>
    (await api.client.get('/issues?scope=created_by_me&per_page=1')).headers.get('x-total');

  it('leaves the counts correct, including concurrent writes, and another worker folds them completely', async () => {
    // The newest tally: the worker has folded all others when it waits for this one.
    const release = await installation.hold(
      'select 1 from issue_tallies where ctid = (select max(ctid) from issue_tallies) for update',
    );
    const first = await installation.start('worker');
    await until(async () => (await installation.count(WAITING)) > 0, 90_000);
    await buildIssue(api.client, projectId);
    await first.kill();
    await release();
    expect(await total()).toBe(String(ISSUES + 1));
    expect(await installation.sql(CHECK)).toEqual([]);
    expect(await installation.count(LOOSE)).toBe(TALLIES * (ISSUES + 1));
    await installation.start('worker');
    await until(async () => (await installation.count(LOOSE)) === 0, 90_000);
    expect(await total()).toBe(String(ISSUES + 1));
    expect(await installation.sql(CHECK)).toEqual([]);
    expect(await installation.count('select count(*) from issue_tallies')).toBe(TALLIES);
  });
});
