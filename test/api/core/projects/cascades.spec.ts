import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { consistencyChecks } from '../../../../src/cli/doctor/doctor-checks.js';
import type { TestApi } from '../../../support/api.js';
import { buildAlertIntegration } from '../../../support/builders/alert-integration.js';
import { buildJob, buildPipeline, buildRunningJob } from '../../../support/builders/ci.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject } from '../../../support/builders/project.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

/** Rows that are removed by cascade: the remaining rows stay consistent. */
describe('rows that reference removed objects', () => {
  let api: TestApi;
  let project: number;
  let group: number;
  let userId: number;
  let iid = 0;
  const made = { label: 0, groupLabel: 0, milestone: 0, epic: 0, pipeline: 0, runner: 0, integration: 0 };

  beforeAll(async () => {
    api = await borrowApi();
    group = (await buildGroup(api)).id;
    project = (await buildProject(api.root, { namespace_id: group, initialize_with_readme: true })).id;
    const person = {
      username: 'goner',
      name: 'Goner',
      email: 'goner@example.com',
      password: 'a word of theirs',
    };
    userId = (await api.root.post<{ id: number }>('/users', person)).body.id;
    await buildMember(api, `groups/${group}`, userId, 40);
    const create = async (path: string, values: object): Promise<{ id: number; iid: number }> => {
      const answer = await api.root.post<{ id: number; iid: number }>(path, values);
      expect([path, answer.status]).toEqual([path, 201]);
      return answer.body;
    };
    const at = `/projects/${project}`;
    made.label = (await create(`${at}/labels`, { name: 'bug', color: '#ff0000' })).id;
    made.groupLabel = (await create(`/groups/${group}/labels`, { name: 'team', color: '#00ff00' })).id;
    made.milestone = (await create(`${at}/milestones`, { title: 'One' })).id;
    made.epic = (await create(`/groups/${group}/epics`, { title: 'Epic' })).iid;
    const values = { labels: 'bug,team', milestone_id: made.milestone, assignee_ids: [userId] };
    const issue = await buildIssue(api.root, project, values);
    iid = issue.iid;
    await buildIssue(api.root, project, values);
    await create(`/groups/${group}/epics/${made.epic}/issues/${issue.id}`, {});
    await create(`${at}/issues/${iid}/notes`, { body: 'A word' });
    await create(`${at}/issues/${iid}/award_emoji`, { name: 'thumbsup' });
    await create(`${at}/repository/branches?branch=topic&ref=main`, {});
    const change = { action: 'create', file_path: 'a.txt', content: 'a' };
    const commit = { branch: 'topic', commit_message: 'Topic', actions: [change] };
    await create(`${at}/repository/commits`, commit);
    const request = { source_branch: 'topic', target_branch: 'main', title: 'Topic', reviewer_ids: [userId] };
    const { iid: mergeRequest } = await create(`${at}/merge_requests`, { ...values, ...request });
    await create(`${at}/merge_requests/${mergeRequest}/notes`, { body: 'A word' });
    const deployment = {
      environment: 'production',
      ref: 'main',
      tag: false,
      sha: await head(),
      status: 'success',
    };
    await create(`${at}/deployments`, deployment);
    made.integration = (await buildAlertIntegration(api.root, project)).id;
    const pipeline = await buildPipeline(api, project, { status: 'running' });
    await buildJob(api, pipeline, { name: 'waits' });
    await buildRunningJob(api, pipeline, { name: 'runs' });
    made.pipeline = pipeline.id;
    await consistent();
  });
  afterAll(() => api.close());

  const head = async (): Promise<string> =>
    (await api.root.get<{ id: string }>(`/projects/${project}/repository/commits/main`)).body.id;

  async function consistent(): Promise<void> {
    const broken: unknown[] = [];
    for (const { check, sql } of consistencyChecks) {
      // Failed jobs of a test do not matter here.
      if (check === 'there are no failed jobs') continue;
      const rows = await api.sql(sql);
      if (rows.length > 0) broken.push([check, rows]);
    }
    expect(broken).toEqual([]);
  }

  const removals: readonly (readonly [string, () => string])[] = [
    ['an alert integration', () => `/projects/${project}/alert_management/integrations/${made.integration}`],
    ['a label', () => `/projects/${project}/labels/${made.label}`],
    ['a label of the group', () => `/groups/${group}/labels/${made.groupLabel}`],
    ['a milestone', () => `/projects/${project}/milestones/${made.milestone}`],
    ['an epic', () => `/groups/${group}/epics/${made.epic}`],
    ['a pipeline', () => `/projects/${project}/pipelines/${made.pipeline}`],
    ['an issue', () => `/projects/${project}/issues/${iid}`],
  ];

  it.each(removals)('are consistent after the removal of %s', async (_name, path) => {
    expect((await api.root.delete(path())).status).toBe(204);
    await consistent();
  });

  it('are consistent after the removal of an assignee and reviewer', async () => {
    expect((await api.root.delete(`/users/${userId}?hard_delete=true`)).status).toBe(204);
    await until(async () => (await api.sql(`select 1 from users where username = 'goner'`)).length === 0);
    await consistent();
  });

  it('are consistent after the removal of an environment, a merge request, a project and its group', async () => {
    const at = `/projects/${project}`;
    const [environment] = (await api.root.get<{ id: number }[]>(`${at}/environments`)).body;
    await api.root.post(`${at}/environments/${environment?.id ?? 0}/stop`);
    expect((await api.root.delete(`${at}/environments/${environment?.id ?? 0}`)).status).toBe(204);
    await consistent();
    expect((await api.root.delete(`${at}/merge_requests/1`)).status).toBe(204);
    await consistent();
    for (const [table, path] of [
      ['projects', at],
      ['namespaces', `/groups/${group}`],
    ] as const) {
      const full = (await api.root.get<{ full_path?: string; path_with_namespace?: string }>(path)).body;
      await api.root.delete(path);
      const name = encodeURIComponent(full.path_with_namespace ?? full.full_path ?? '');
      await api.root.delete(`${path}?permanently_remove=true&full_path=${name}`);
      const id = table === 'projects' ? project : group;
      await until(async () => (await api.sql(`select 1 from ${table} where id = $1`, [id])).length === 0);
      await consistent();
    }
  });
});
