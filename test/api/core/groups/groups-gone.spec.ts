import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import {
  buildBlockedDeployment,
  type BlockedDeployment,
} from '../../../support/builders/blocked-deployment.js';
import type { CodeProject } from '../../../support/builders/code-project.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequest, buildMergeRequestProject } from '../../../support/builders/merge-request.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { CiEngine } from '../../../support/ci-engine.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

type Status = Promise<{ readonly status: number; readonly body: unknown }>;

const NOT_ALLOWED = { message: expect.stringContaining('You are not allowed to') as unknown };

/** Protections and rules that name only one group; then the group is deleted. */
describe('protections that named a deleted group', () => {
  let api: TestApi;
  let ci: CiEngine;
  let reviewed: CodeProject;
  let team: BuiltGroup;
  let insider: CreatedUser;
  let blocked: BlockedDeployment;
  let request: string;
  let unapproved: string;
  let serial = 0;

  const at = (suffix: string, id = ci.project.id): string => `/projects/${id}${suffix}`;
  const push = (client: ApiClient, branch = 'kept'): Status =>
    client.post(at('/repository/commits'), {
      branch,
      commit_message: 'More',
      actions: [{ action: 'create', file_path: `${(serial += 1)}.txt`, content: 'x' }],
    });
  const tag = (client: ApiClient): Status =>
    client.post(at('/repository/tags'), { tag_name: `v${(serial += 1)}`, ref: 'main' });
  const deploy = (client: ApiClient): Status =>
    client.post(at('/deployments'), {
      environment: 'kept',
      sha: ci.project.commits[0],
      ref: 'main',
      tag: false,
      status: 'success',
    });
  const made = async (path: string, values: object, id = ci.project.id): Promise<void> => {
    const { status, text } = await api.root.post(at(path, id), values);
    expect([path, status, text]).toEqual([path, 201, expect.any(String)]);
  };
  const everybody = (): ApiClient[] => [ci.project.maintainer, insider.client];

  beforeAll(async () => {
    api = await borrowApi();
    ci = await CiEngine.start(api);
    reviewed = await buildMergeRequestProject(api);
    team = await buildGroup(api);
    insider = await createUser(api);
    await buildMember(api, `groups/${team.id}`, insider.id, 40);
    for (const id of [ci.project.id, reviewed.id])
      await made('/share', { group_id: team.id, group_access: 40 }, id);
    const named = [{ group_id: team.id }];
    for (const branch of ['kept', 'topic']) await made('/repository/branches', { branch, ref: 'main' });
    await push(insider.client, 'topic');
    await made('/protected_branches', {
      name: 'kept',
      allowed_to_push: named,
      allowed_to_merge: named,
      allowed_to_unprotect: named,
    });
    await made('/protected_tags', { name: 'v*', allowed_to_create: named });
    await made('/protected_environments', { name: 'kept', deploy_access_levels: named });
    blocked = await buildBlockedDeployment(ci, {
      approval_rules: [{ group_id: team.id, required_approvals: 1 }],
    });
    const values = { target_branch: 'kept' };
    request = at(
      `/merge_requests/${(await buildMergeRequest(insider.client, ci.project.id, 'topic', values)).iid}`,
    );
    const { iid } = await buildMergeRequest(reviewed.developer, reviewed.id, 'one');
    unapproved = at(`/merge_requests/${iid}`, reviewed.id);
    await made('/approval_rules', { name: 'team', approvals_required: 1, group_ids: [team.id] }, reviewed.id);
    await api.sql(`update merge_requests set merge_status = 'can_be_merged'`);
    // As long as the group exists, its members may do what is denied to others.
    for (const act of [push, tag, deploy]) {
      expect((await act(insider.client)).status).toBe(201);
      expect((await act(ci.project.maintainer)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await api.root.delete(`/groups/${team.id}`)).status).toBe(202);
    const left = 'select 1 from namespaces where id = $1';
    await until(async () => (await api.sql(left, [team.id])).length === 0, 20_000);
    for (const id of [ci.project.id, reviewed.id]) await buildMember(api, `projects/${id}`, insider.id, 40);
  });
  afterAll(() => api.close());

  it('keep branches and tags closed to everyone', async () => {
    for (const client of everybody()) {
      for (const act of [push, tag]) expect((await act(client)).body).toEqual(NOT_ALLOWED);
      expect((await client.put(`${request}/merge`)).status).toBe(403);
    }
  });

  it('can be lifted only by administrators', async () => {
    const path = at('/protected_branches/kept');
    for (const client of everybody()) {
      const raised = { allowed_to_push: [{ access_level: 40 }] };
      expect((await client.send('PATCH', path, raised)).status).toBe(403);
      expect((await client.delete(path)).status).toBe(403);
      expect((await client.put(at('/repository/branches/kept/unprotect'))).status).toBe(403);
    }
  });

  it('keep environments and deployments that wait for approvals closed to everyone', async () => {
    const approval = at(`/deployments/${blocked.id}/approval`);
    for (const client of everybody()) {
      expect((await deploy(client)).status).toBe(403);
      expect((await client.post(approval, { status: 'approved' })).status).toBe(400);
      expect((await client.post(at(`/jobs/${blocked.jobId}/play`))).status).toBe(400);
    }
    const { body } = await api.root.get(at(`/deployments/${blocked.id}`));
    expect(body).toMatchObject({
      status: 'blocked',
      pending_approval_count: 1,
      approval_summary: { rules: [{ required_approvals: 1 }] },
    });
  });

  it('are not satisfied by approvals of others', async () => {
    for (const client of [reviewed.maintainer, insider.client])
      expect((await client.post(`${unapproved}/approve`)).status).toBe(201);
    const { body } = await api.root.get(`${unapproved}/approvals`);
    expect(body).toMatchObject({ approved: false, approvals_left: 1 });
    expect((await api.root.put(`${unapproved}/merge`)).status).toBe(405);
  });

  it('do not show the group', async () => {
    const kept = ['/protected_branches/kept', '/protected_tags/v*', '/protected_environments/kept'];
    const shown = await Promise.all([
      ...kept.map((path) => api.root.get(at(path))),
      api.root.get(at('/approval_rules', reviewed.id)),
    ]);
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(
      shown.filter(({ text }) => text.includes(`"group_id":${team.id}`) || text.includes(team.name)),
    ).toEqual([]);
  });
});
