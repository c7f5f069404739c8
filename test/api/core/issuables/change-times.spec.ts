import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { startApi, type TestApi } from '../../../support/api.js';
import { sendAvatar } from '../../../support/avatars.js';
import type { BuiltEpic } from '../../../support/builders/epic-world.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import type { Answer } from '../../../support/client.js';
import { untilBlocking, untilIdle } from '../../../support/lock-waits.js';
import { MergeWorld } from '../../../support/merge-world.js';

/** Clients that ask for what was updated after their last visit would miss a change that looks older. */
describe('a change that waited for another', () => {
  let api: TestApi;
  let groupId: number;
  let projectId: number;

  beforeAll(async () => {
    api = await startApi();
    groupId = (await buildGroup(api)).id;
    projectId = (await buildProject(api.root, { namespace_id: groupId })).id;
  });
  afterAll(() => api.close());

  /** Makes a change wait for another of the row, and expects that it is the later one. */
  const expectLater = async (table: string, id: number, change: () => Promise<Answer>): Promise<void> => {
    await untilIdle(api);
    const [waiting, first] = await api.app.get(DataSource).transaction(async (holder) => {
      await holder.query(`select 1 from ${table} where id = $1 for update`, [id]);
      let isOver = false;
      const changing = change().finally(() => (isOver = true));
      await untilBlocking(api, holder, () => isOver);
      const [rows] = await holder.query<[{ at: Date }[]]>(
        `update ${table} set updated_at = clock_timestamp() where id = $1 returning updated_at as at`,
        [id],
      );
      return [changing, Number(rows[0]?.at)];
    });
    expect((await waiting).status).toBeLessThan(300);
    const [row] = await api.sql<{ at: Date }>(`select updated_at as at from ${table} where id = $1`, [id]);
    expect(Number(row?.at)).toBeGreaterThanOrEqual(first);
  };

  const anIssue = (): Promise<BuiltIssue> => buildIssue(api.root, projectId);

  const anEpic = async (title: string): Promise<BuiltEpic> =>
    (await api.root.post<BuiltEpic>(`/groups/${groupId}/epics`, { title })).body;

  it('is later, if an issue is moved', async () => {
    const { id, iid } = await anIssue();
    const { id: target } = await buildProject(api.root);
    const path = `/projects/${projectId}/issues/${iid}`;
    await expectLater('issues', id, () => api.root.post(`${path}/move`, { to_project_id: target }));
    const { body } = await api.root.get<{ closed_at: string; updated_at: string }>(path);
    expect(Date.parse(body.closed_at)).toBeLessThanOrEqual(Date.parse(body.updated_at));
  });

  it('is later, if issues are reordered', async () => {
    const [before, { id, iid }] = [await anIssue(), await anIssue()];
    const path = `/projects/${projectId}/issues/${iid}/reorder`;
    await expectLater('issues', id, () => api.root.put(path, { move_before_id: before.id }));
  });

  it('is later, if time is estimated or spent', async () => {
    const { id, iid } = await anIssue();
    const path = `/projects/${projectId}/issues/${iid}`;
    await expectLater('issues', id, () => api.root.post(`${path}/time_estimate`, { duration: '1h' }));
    await expectLater('issues', id, () => api.root.post(`${path}/add_spent_time`, { duration: '1h' }));
  });

  it('is later, if an epic gets a parent', async () => {
    const [parent, { id, iid }] = [await anEpic('Parent'), await anEpic('Child')];
    const path = `/groups/${groupId}/epics/${parent.iid}/epics/${id}`;
    await expectLater('epics', id, () => api.root.post(path));
    expect((await api.root.get(`/groups/${groupId}/epics/${iid}`)).body['parent_id']).toBe(parent.id);
  });

  it('is later, if an automatic merge is enabled', async () => {
    const world = await MergeWorld.build(api);
    const opened = await world.open('later');
    const [pipeline] = await api.sql<{ id: number }>(
      `insert into ci_pipelines (project_id, iid, sha, ref, status, source, user_id)
       values ($1, 9003, $2, 'later', 'running', 'push', 1) returning id`,
      [world.code.id, opened.sha],
    );
    await api.sql('update merge_requests set head_pipeline_id = $2 where id = $1', [opened.id, pipeline?.id]);
    await expectLater('merge_requests', opened.id, () => world.merge(opened.iid, { auto_merge: true }));
    expect((await world.find(opened.iid)).state).toBe('opened');
  });

  it('is later, if a pipeline is renamed', async () => {
    const [pipeline] = await api.sql<{ id: number }>(
      `insert into ci_pipelines (project_id, iid, sha, ref, status, source, user_id)
       values ($1, 9004, repeat('a', 40), 'main', 'running', 'push', 1) returning id`,
      [projectId],
    );
    const id = pipeline?.id ?? 0;
    const path = `/projects/${projectId}/pipelines/${id}/metadata`;
    await expectLater('ci_pipelines', id, () => api.root.put(path, { name: 'Named' }));
  });

  it('is later, if a milestone is changed', async () => {
    const path = `/projects/${projectId}/milestones`;
    const { id } = (await api.root.post<{ id: number }>(path, { title: 'First' })).body;
    await expectLater('milestones', id, () => api.root.put(`${path}/${id}`, { state_event: 'close' }));
    await expectLater('milestones', id, () => api.root.post(`${path}/${id}/promote`));
  });

  it('is later, if a project is changed', async () => {
    const path = `/projects/${projectId}`;
    await expectLater('projects', projectId, () => api.root.put(path, { description: 'Changed' }));
    const scope = { enabled: false };
    await expectLater('projects', projectId, () => api.root.send('PATCH', `${path}/job_token_scope`, scope));
    await expectLater('projects', projectId, () => sendAvatar(api.root, 'PUT', path));
  });

  it('is later, if a label, a freeze period or an approval rule is changed', async () => {
    const path = `/projects/${projectId}`;
    const made = async (what: string, values: object): Promise<number> =>
      (await api.root.post<{ id: number }>(`${path}/${what}`, values)).body.id;
    const cron = { freeze_start: '0 23 * * 5', freeze_end: '0 7 * * 1' };
    const label = await made('labels', { name: 'bug', color: '#ff0000' });
    await expectLater('labels', label, () => api.root.put(`${path}/labels/${label}`, { color: '#00ff00' }));
    const period = await made('freeze_periods', cron);
    const periods = `${path}/freeze_periods/${period}`;
    await expectLater('freeze_periods', period, () => api.root.put(periods, { freeze_start: '0 22 * * 5' }));
    const rule = await made('approval_rules', { name: 'Two', approvals_required: 2 });
    const rules = `${path}/approval_rules/${rule}`;
    await expectLater('approval_rules', rule, () => api.root.put(rules, { approvals_required: 1 }));
  });

  it('is later, if a note is edited or time is spent', async () => {
    const { id, iid } = await anIssue();
    const path = `/projects/${projectId}/issues/${iid}`;
    const note = (await api.root.post<{ id: number }>(`${path}/notes`, { body: 'One' })).body.id;
    await expectLater('notes', note, () => api.root.put(`${path}/notes/${note}`, { body: 'Two' }));
    await expectLater('issues', id, () => api.root.post(`${path}/add_spent_time`, { duration: '1h' }));
  });

  it('is later, if a group is changed', async () => {
    await expectLater('namespaces', groupId, () =>
      api.root.put(`/groups/${groupId}`, { description: 'New' }),
    );
  });
});
