import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildProjectTeam } from '../../../support/builders/project-team.js';
import { deadlocksOf } from '../../../support/lock-waits.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { resourceEventsOf, type ShownResourceEvent } from '../../../support/resource-events.js';
import { until } from '../../../support/until.js';

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('events of a merge request', () => {
  it('report closing, reopening and merging; those of a closed issue name the merge request', async () => {
    const world = await MergeWorld.build(api);
    const { iid } = await buildIssue(world.dev, world.code.id);
    const { body: planned } = await world.dev.post<{ id: number }>(`${world.base}/milestones`, {
      title: 'v1',
    });
    const opened = await world.open('fix', undefined, {
      description: `Closes #${iid}`,
      labels: 'bug',
      milestone_id: planned.id,
    });
    const path = `${world.base}/merge_requests/${opened.iid}`;
    await world.dev.put(path, { state_event: 'close', labels: '' });
    await world.dev.put(path, { state_event: 'reopen' });
    await world.dev.put(path, { milestone_id: 0 });
    await world.checked(opened.iid);
    expect((await world.merge(opened.iid)).status).toBe(200);
    expect(await resourceEventsOf(world.code.reporter, path, 'state')).toEqual([
      'closed',
      'reopened',
      'merged',
    ]);
    expect(await resourceEventsOf(world.code.reporter, path, 'label')).toEqual([
      ['add', 'bug'],
      ['remove', 'bug'],
    ]);
    expect(await resourceEventsOf(world.code.reporter, path, 'milestone')).toEqual([
      ['add', 'v1', 'opened'],
      ['remove', 'v1', 'opened'],
    ]);
    const issue = `${world.base}/issues/${iid}`;
    const events = async (): Promise<ShownResourceEvent[]> =>
      (await world.dev.get<ShownResourceEvent[]>(`${issue}/resource_state_events`)).body;
    await until(async () => (await events()).length > 0);
    expect(await events()).toMatchObject([
      { state: 'closed', source_merge_request_id: opened.id, user: { id: world.code.developerId } },
    ]);
    await api.root.delete(path);
    expect(await events()).toMatchObject([{ state: 'closed', source_merge_request_id: null }]);
  });

  it('report a merge by another merge request, and the removal of its source branch', async () => {
    const world = await MergeWorld.build(api);
    const gone = await world.open('gone');
    await world.dev.delete(`${world.base}/repository/branches/gone`);
    await world.when(gone.iid, ({ state }) => state === 'closed');
    const path = (one: number): string => `${world.base}/merge_requests/${one}`;
    expect(await resourceEventsOf(world.dev, path(gone.iid), 'state')).toEqual(['closed']);
    const pushed = await world.open('pushed');
    await world.dev.post(`${world.base}/repository/branches`, { branch: 'carrier', ref: 'pushed' });
    const carrier = await world.open('carrier');
    expect((await world.merge(carrier.iid)).status).toBe(200);
    await world.when(pushed.iid, ({ state }) => state === 'merged');
    expect(await resourceEventsOf(world.dev, path(pushed.iid), 'state')).toEqual(['merged']);
  });
});

describe('many simultaneous changes', () => {
  it('store an event each, in an order that leads to the final state', async () => {
    const team = await buildProjectTeam(api);
    const { iid } = await buildIssue(api.root, team.projectId);
    const path = `/projects/${team.projectId}/issues/${iid}`;
    const names = Array.from({ length: 10 }, (_, index) => `l${index}`);
    for (const name of names)
      await api.root.post(`/projects/${team.projectId}/labels`, { name, color: '#ff0000' });
    const ids: number[] = [];
    for (const title of ['v1', 'v2', 'v3'])
      ids.push(
        (await api.root.post<{ id: number }>(`/projects/${team.projectId}/milestones`, { title })).body.id,
      );
    const before = await deadlocksOf(api);
    const work = Array.from({ length: 50 }, (_, index) => {
      const one = names[index % 10] ?? '';
      if (index % 5 === 4) return api.root.put(path, { milestone_id: ids[index % 3] ?? 0 });
      if (index % 5 === 3) return api.root.put(path, { remove_labels: one });
      return api.root.put(path, { add_labels: one });
    });
    // Labels and milestones are removed in the meantime.
    const going = [
      api.root.delete(`/projects/${team.projectId}/labels/l9`),
      api.root.delete(`/projects/${team.projectId}/milestones/${String(ids[2])}`),
    ];
    const answers = await Promise.all([...work, ...going]);
    // A removed milestone can no longer be set.
    expect(answers.filter(({ status }) => ![200, 204, 400].includes(status)).map(({ text }) => text)).toEqual(
      [],
    );
    expect(await deadlocksOf(api)).toBe(before);

    const has = new Set<string>();
    const found = (await resourceEventsOf(api.root, path, 'label')) as [string, string | null][];
    for (const [action, name] of found) {
      if (name === null) continue;
      expect([name, action]).toEqual([name, has.has(name) ? 'remove' : 'add']);
      if (action === 'add') has.add(name);
      else has.delete(name);
    }
    const now = await api.root.get<{ labels: string[]; milestone: { title: string } | null }>(path);
    const known = now.body.labels.filter((name) => name !== 'l9');
    expect([...has].filter((name) => name !== 'l9').sort()).toEqual([...known].sort());
    const plans = (await resourceEventsOf(api.root, path, 'milestone')) as [string, string | null, string][];
    const last = plans.at(-1);
    expect(now.body.milestone?.title ?? null).toBe(last?.[0] === 'add' ? last[1] : null);
  });
});
