import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { longestOwnStop } from '../../../support/longest-stop.js';
import { borrowApi } from '../../../support/shared-api.js';

/** As many as a project may have, on the rarest days; each start is also an end, so the search goes on. */
const MANY = `insert into freeze_periods (project_id, freeze_start, freeze_end, cron_timezone)
  select $1, cron, cron, $2 from generate_series(0, 999) g
  cross join lateral (select format('%s %s * 2 5#5', g % 60, g / 60) as cron) times`;

/** Others for each try: states are cached. */
const ZONES = ['America/New_York', 'Europe/Berlin', 'Australia/Sydney', 'America/Havana', 'Europe/Paris'];

describe('a thousand freeze periods', () => {
  let api: TestApi;
  let team: ProjectTeam;
  beforeAll(async () => {
    api = await borrowApi();
    team = await buildProjectTeam(api);
  });
  afterAll(() => api.close());

  it('do not stop the service when their states are asked for', async () => {
    const zones = [...ZONES];
    const stop = await longestOwnStop(500, async () => {
      await api.sql('delete from freeze_periods where project_id = $1', [team.projectId]);
      await api.sql(MANY, [team.projectId, zones.pop()]);
      const { status, body } = await team.reporter.get(`/projects/${team.projectId}/freeze_periods/status`);
      expect([status, body]).toMatchObject([200, { frozen: false, active: [] }]);
    });
    expect(stop).toBeLessThan(500);
  });

  it('say when the next one starts, though most starts of the day are ends too', async () => {
    await api.sql('delete from freeze_periods where project_id = $1', [team.projectId]);
    const path = `/projects/${team.projectId}/freeze_periods`;
    const period = { freeze_start: '* 0-22 * * *', freeze_end: '* 0-21,23 * * *' };
    expect((await team.maintainer.post(path, period)).status).toBe(201);
    // Only the last minute before eleven is followed by an end that is not a start.
    const next = new Date(Date.now() + 60_000);
    next.setUTCHours(22, 59, 0, 0);
    if (next.getTime() <= Date.now()) next.setUTCDate(next.getUTCDate() + 1);
    const { body } = await team.reporter.get<{ next: unknown }>(`${path}/status`);
    expect(body.next).toMatchObject({ freeze_start_at: next.toISOString() });
  });

  it('are the most that a project may have, also if they are added at the same time', async () => {
    await api.sql('delete from freeze_periods where project_id = $1', [team.projectId]);
    await api.sql(MANY, [team.projectId, 'UTC']);
    await api.sql(
      'delete from freeze_periods where id = (select max(id) from freeze_periods where project_id = $1)',
      [team.projectId],
    );
    const period = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () =>
        team.maintainer.post(`/projects/${team.projectId}/freeze_periods`, period),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  });
});
