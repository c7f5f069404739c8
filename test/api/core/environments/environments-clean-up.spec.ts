import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildDeployment } from '../../../support/builders/deployment.js';
import { buildEnvironment } from '../../../support/builders/environment.js';
import { buildProjectTeam, type ProjectTeam } from '../../../support/builders/project-team.js';
import { borrowApi } from '../../../support/shared-api.js';

const DAY_MS = 86_400_000;
const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();

describe('cleaning up environments', () => {
  let api: TestApi;
  let own: ProjectTeam;
  const environments = (): string => `/projects/${own.projectId}/environments`;
  const state = async (id: number): Promise<unknown> =>
    (await own.reporter.get(`${environments()}/${id}`)).body['state'];
  const age = (id: number, days: number): Promise<unknown> =>
    api.sql(`update environments set created_at = $2, updated_at = $2 where id = $1`, [id, daysAgo(days)]);

  beforeAll(async () => {
    api = await borrowApi();
    own = await buildProjectTeam(api);
  });

  afterAll(() => api.close());

  it('stops stale environments only', async () => {
    const old = await buildEnvironment(own.developer, own.projectId, { name: 'old' });
    const young = await buildEnvironment(own.developer, own.projectId, { name: 'young' });
    const deployed = await buildEnvironment(own.developer, own.projectId, { name: 'deployed' });
    await buildDeployment(own.developer, own.projectId, { environment: 'deployed' });
    await age(old.id, 20);
    await age(deployed.id, 20);
    const answer = await own.maintainer.post(`${environments()}/stop_stale`, { before: daysAgo(10) });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ message: 'Successfully requested stop for all stale environments' });
    expect(await Promise.all([old.id, young.id, deployed.id].map(state))).toEqual([
      'stopped',
      'available',
      'available',
    ]);
  });

  it.each([daysAgo(6), daysAgo(3_700)])(
    'refuses to stop stale environments with the date %s',
    async (before) => {
      const answer = await own.maintainer.post(`${environments()}/stop_stale`, { before });
      expect(answer.status).toBe(400);
      expect(answer.body).toEqual({ message: { before: ['Invalid Date'] } });
    },
  );

  it('requires a date to stop stale environments', async () => {
    const missing = await own.maintainer.post(`${environments()}/stop_stale`);
    expect(missing.body).toEqual({ message: '400 (Bad request) "before" not given' });
    const bad = await own.maintainer.post(`${environments()}/stop_stale`, { before: 'yesterday' });
    expect(bad.body).toEqual({ message: { before: ['is invalid'] } });
  });

  it('keeps protected review environments unless the user may deploy there', async () => {
    const { id } = await buildEnvironment(own.developer, own.projectId, { name: 'review/kept' });
    await own.developer.post(`${environments()}/${id}/stop`);
    await age(id, 60);
    const level = (await api.root.get<{ license_plan: string }>('/application/settings')).body.license_plan;
    await api.root.put('/application/settings', { license_plan: 'premium' });
    await own.maintainer.post(`/projects/${own.projectId}/protected_environments`, {
      name: 'review/kept',
      deploy_access_levels: [{ access_level: 40 }],
    });
    const names = async (client: typeof own.developer): Promise<unknown[]> =>
      (
        await client.delete<{ scheduled_entries: { name: string }[] }>(`${environments()}/review_apps`)
      ).body.scheduled_entries.map(({ name }) => name);
    expect(await names(own.developer)).toEqual([]);
    expect(await names(own.maintainer)).toEqual(['review/kept']);
    await own.maintainer.delete(`/projects/${own.projectId}/protected_environments/review%2Fkept`);
    await own.maintainer.delete(`${environments()}/${id}`);
    await api.root.put('/application/settings', { license_plan: level });
  });

  it('schedules stopped review environments for removal, only with dry_run=false', async () => {
    const ids: number[] = [];
    for (const name of ['review/a', 'review/b', 'review/c', 'other/d']) {
      const { id } = await buildEnvironment(own.developer, own.projectId, { name });
      if (name !== 'review/c') await own.developer.post(`${environments()}/${id}/stop`);
      await age(id, 40 + ids.length);
      ids.push(id);
    }
    const path = `${environments()}/review_apps`;
    const scheduled = async (query: string): Promise<number[]> => {
      const answer = await own.developer.delete<{ scheduled_entries: { id: number }[] }>(path + query);
      expect(answer.status).toBe(200);
      expect(answer.body).toMatchObject({ unprocessable_entries: [] });
      return answer.body.scheduled_entries.map(({ id }) => id);
    };
    expect(await scheduled('')).toEqual([ids[1], ids[0]]);
    expect(await scheduled(`?before=${daysAgo(41.5 - 1)}`)).toEqual([ids[1]]);
    expect(await scheduled('?limit=1&dry_run=false')).toEqual([ids[1]]);
    expect(await scheduled('')).toEqual([ids[0]]);
    const [row] = await api.sql<{ days: number }>(
      `select extract(epoch from auto_delete_at - now()) / 86400 as days from environments where id = $1`,
      [ids[1]],
    );
    expect(Math.round(Number(row?.days))).toBe(7);
  });

  it.each(['?limit=0', '?limit=1001', '?dry_run=perhaps', '?before=x'])('refuses %s', async (query) => {
    expect((await own.developer.delete(`${environments()}/review_apps${query}`)).status).toBe(400);
  });

  it('removes scheduled environments when they are due, unless they run again', async () => {
    const due = await buildEnvironment(own.developer, own.projectId, { name: 'review/due' });
    const back = await buildEnvironment(own.developer, own.projectId, { name: 'review/back' });
    for (const { id } of [due, back]) {
      await own.developer.post(`${environments()}/${id}/stop`);
      await api.sql(`update environments set auto_delete_at = now() where id = $1`, [id]);
    }
    await buildDeployment(own.developer, own.projectId, { environment: 'review/back' });
    await api.sql(
      `insert into background_jobs (queue, name, payload) values ('default', 'environments.delete_due', '{}')`,
    );
    let status = 200;
    for (let tries = 0; status === 200 && tries < 100; tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      status = (await own.developer.get(`${environments()}/${due.id}`)).status;
    }
    expect(status).toBe(404);
    expect(await state(back.id)).toBe('available');
  });
});
