import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let reporter: CreatedUser;
let stranger: CreatedUser;
let projectId: number;

beforeAll(async () => {
  api = await borrowApi();
  [reporter, stranger] = [await createUser(api), await createUser(api)];
  projectId = (await buildProject(api.root, { visibility: 'public' })).id;
  await buildMember(api, `projects/${projectId}`, reporter.id, 20);
});
afterAll(() => api.close());

async function issue(): Promise<string> {
  const made = await stranger.client.post<{ iid: number }>(`/projects/${projectId}/issues`, { title: 'A' });
  return `/projects/${projectId}/issues/${made.body.iid}`;
}

const stats = (estimate: number, humanEstimate: string | null, spent: number, humanSpent: string | null) => ({
  time_estimate: estimate,
  total_time_spent: spent,
  human_time_estimate: humanEstimate,
  human_total_time_spent: humanSpent,
});

describe('time tracking of an issue', () => {
  it('estimates, adds, subtracts and resets', async () => {
    const path = await issue();
    const send = async (what: string, body: object = {}): Promise<readonly [number, unknown]> => {
      const answer = await reporter.client.post(`${path}/${what}`, body);
      return [answer.status, answer.body];
    };
    expect((await api.anonymous.get(`${path}/time_stats`)).body).toEqual(stats(0, null, 0, null));
    expect(await send('time_estimate', { duration: '3h 30m' })).toEqual([
      200,
      stats(12_600, '3h 30m', 0, null),
    ]);
    expect(await send('add_spent_time', { duration: '1w', summary: 'Design' })).toEqual([
      201,
      stats(12_600, '3h 30m', 144_000, '1w'),
    ]);
    expect(await send('add_spent_time', { duration: '-1d' })).toEqual([
      201,
      stats(12_600, '3h 30m', 115_200, '4d'),
    ]);
    expect(await send('reset_time_estimate')).toEqual([200, stats(0, null, 115_200, '4d')]);
    expect(await send('reset_spent_time')).toEqual([200, stats(0, null, 0, null)]);
    const bodies = await reporter.client.get<{ body: string; system: boolean }[]>(`${path}/notes?sort=asc`);
    expect(bodies.body.map(({ body, system }) => [body, system])).toEqual([
      ['changed time estimate to 3h 30m', true],
      ['added 1w of time spent', true],
      ['subtracted 1d of time spent', true],
      ['removed time estimate', true],
      ['removed time spent', true],
    ]);
    const logged = await api.sql('select seconds, summary, user_id from timelogs order by id');
    expect(logged).toEqual([
      { seconds: 144_000, summary: 'Design', user_id: reporter.id },
      { seconds: -28_800, summary: null, user_id: reporter.id },
      { seconds: -115_200, summary: null, user_id: reporter.id },
    ]);
    const shown = await stranger.client.get(path);
    expect(shown.body).toMatchObject({ time_stats: stats(0, null, 0, null), user_notes_count: 0 });
  });

  it('accepts only durations, and no negative total', async () => {
    const path = await issue();
    const refused = { message: { duration: ['is invalid'] } };
    for (const duration of ['soon', '-1h', '1y'])
      expect((await reporter.client.post(`${path}/time_estimate`, { duration })).body).toEqual(refused);
    for (const duration of ['0', 'x', '999999999mo'])
      expect((await reporter.client.post(`${path}/add_spent_time`, { duration })).body).toEqual(refused);
    expect((await reporter.client.post(`${path}/add_spent_time`, { duration: '-1s' })).body).toEqual({
      message: { duration: ['is more than the time spent'] },
    });
    expect((await reporter.client.post(`${path}/time_estimate`)).body).toEqual({
      message: '400 (Bad request) "duration" not given',
    });
  });

  it('requires the Reporter role, and adds up simultaneous entries', async () => {
    const path = await issue();
    for (const what of ['time_estimate', 'add_spent_time', 'reset_time_estimate', 'reset_spent_time'])
      expect((await stranger.client.post(`${path}/${what}`, { duration: '1h' })).status).toBe(403);
    const spend = () => reporter.client.post(`${path}/add_spent_time`, { duration: '1m' });
    const answers = await Promise.all(Array.from({ length: 20 }, spend));
    expect(answers.every(({ status }) => status === 201)).toBe(true);
    expect((await stranger.client.get(`${path}/time_stats`)).body).toEqual(stats(0, null, 1_200, '20m'));
  });
});
