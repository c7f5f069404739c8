import { expect } from '@jest/globals';
import type { TestApi } from './api.js';
import { buildIssue } from './builders/issue.js';
import type { PlanningTwins } from './planning-twins.js';

/** Labels of the source group and project, with colors, priorities and subscriptions. */
export async function fillLabels(api: TestApi, { from, alice }: PlanningTwins): Promise<void> {
  const { group, project } = from;
  await api.root.post(`/groups/${group}/labels`, { name: 'team', color: 'red', description: 'Ours' });
  await api.root.post(`/projects/${project}/labels`, { name: 'bug', color: '#abc', priority: 3 });
  await api.root.post(`/projects/${project}/labels`, { name: 'later', color: '#123456' });
  await alice.client.post(`/projects/${project}/labels/bug/subscribe`);
  await alice.client.post(`/groups/${group}/labels/team/subscribe`);
}

/** Its milestones: one is closed, one is removed. */
export async function fillMilestones(api: TestApi, { from }: PlanningTwins): Promise<void> {
  const { group, project } = from;
  await api.root.post(`/groups/${group}/milestones`, { title: 'All', due_date: '2026-02-03' });
  for (const title of ['gone', 'One', 'Two'])
    await api.root.post(`/projects/${project}/milestones`, { title, start_date: '2026-01-02' });
  const [, one, gone] = (await api.root.get<{ id: number }[]>(`/projects/${project}/milestones`)).body;
  await api.root.put(`/projects/${project}/milestones/${one?.id}`, { state_event: 'close' });
  await api.root.delete(`/projects/${project}/milestones/${gone?.id}`);
}

/** Epics and issues with one of everything, in addition to those labels and milestones. */
export async function fillIssues(api: TestApi, { from, alice, bob }: PlanningTwins): Promise<void> {
  const { group, project } = from;
  const at = (iid: number, rest = ''): string => `/projects/${project}/issues/${iid}${rest}`;
  const epics = `/groups/${group}/epics`;
  const epic = await alice.client.post<{ id: number }>(epics, {
    title: 'Sell abroad',
    description: `With @${bob.username}\n- [ ] customs`,
    labels: 'team',
    confidential: false,
    start_date_fixed: '2026-01-01',
    start_date_is_fixed: true,
    due_date_fixed: '2026-03-01',
  });
  await alice.client.post(epics, { title: 'Hidden', confidential: true });
  await alice.client.put(`${epics}/2`, { state_event: 'close' });
  await bob.client.post(`${epics}/${epic.body.id}/notes`, { body: 'Where to?' });
  const { body: milestones } = await api.root.get<{ id: number; title: string }[]>(
    `/projects/${project}/milestones?include_ancestors=true`,
  );
  const milestone = (title: string): number | undefined => milestones.find((one) => one.title === title)?.id;
  await buildIssue(alice.client, project, {
    title: 'First, with everything',
    description: `Ask @${bob.username} and @all\n- [x] done\n- [ ] open`,
    labels: 'bug,team',
    milestone_id: milestone('One'),
    assignee_ids: [bob.id, 1],
    due_date: '2026-05-06',
    weight: 5,
    health_status: 'at_risk',
    discussion_locked: true,
    epic_id: epic.body.id,
  });
  await buildIssue(bob.client, project, { confidential: true, milestone_id: milestone('All') });
  const third = await buildIssue(api.root, project);
  const last = await buildIssue(api.root, project, {
    issue_type: 'incident',
    labels: 'later',
    epic_id: epic.body.id,
  });
  await api.root.delete(at(third.iid));
  await api.root.put(at(4), { state_event: 'close', title: 'An incident' });
  expect((await api.root.put(at(1, '/reorder'), { move_after_id: last.id })).status).toBe(200);
  const note = await alice.client.post<{ id: number }>(at(1, '/notes'), {
    body: `Hear, @${alice.username}`,
  });
  await bob.client.post(at(1, `/notes/${note.body.id}/award_emoji`), { name: 'thumbsdown' });
  await bob.client.post(at(1, '/notes'), { body: 'Between us', internal: true });
  const talk = await bob.client.post<{ id: string }>(at(1, '/discussions'), { body: 'Is it so?' });
  await alice.client.post(at(1, `/discussions/${talk.body.id}/notes`), { body: 'It is.' });
  await alice.client.post(at(1, '/award_emoji'), { name: 'thumbsup' });
  await bob.client.post(at(1, '/award_emoji'), { name: 'tada' });
  await alice.client.post(at(1, '/time_estimate'), { duration: '3h' });
  await alice.client.post(at(1, '/add_spent_time'), { duration: '1h', summary: 'Read' });
  await alice.client.post(at(1, '/add_spent_time'), { duration: '-10m' });
  await alice.client.post(at(4, '/subscribe'));
  await bob.client.post(at(1, '/unsubscribe'));
}
