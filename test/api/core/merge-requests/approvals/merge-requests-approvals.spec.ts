import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../../support/api.js';
import type { CodeProject } from '../../../../support/builders/code-project.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import {
  buildMergeRequest,
  buildMergeRequestProject,
  type MergeRequestBody,
} from '../../../../support/builders/merge-request.js';
import { createUser } from '../../../../support/builders/user.js';
import type { ApiClient } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let project: CodeProject;
let mergeRequest: MergeRequestBody;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  project = await buildMergeRequestProject(api);
  mergeRequest = await buildMergeRequest(project.developer, project.id, 'one');
  path = `/projects/${project.id}/merge_requests/${mergeRequest.iid}`;
});
afterAll(() => api.close());

const plan = (name: string): Promise<unknown> =>
  api.root.put('/application/settings', { license_plan: name });

describe('approvals', () => {
  it('are given by Developers once, for the head that they have seen', async () => {
    expect((await project.reporter.post(`${path}/approve`)).status).toBe(403);
    const stale = await project.maintainer.post(`${path}/approve`, { sha: 'a'.repeat(40) });
    expect([stale.status, stale.body]).toEqual([
      409,
      { message: `SHA does not match HEAD of source branch: ${mergeRequest.sha}` },
    ]);
    const given = await project.maintainer.post(`${path}/approve`, { sha: mergeRequest.sha });
    expect([given.status, given.body]).toEqual([
      201,
      expect.objectContaining({
        approved: true,
        user_has_approved: true,
        user_can_approve: false,
        approved_by: [
          expect.objectContaining({ user: expect.objectContaining({ state: 'active' }) as unknown }),
        ],
      }),
    ]);
    expect((await project.maintainer.post(`${path}/approve`)).status).toBe(403);
  });

  it('are revoked by the user who gave them', async () => {
    expect((await project.developer.post(`${path}/unapprove`)).status).toBe(404);
    expect((await project.maintainer.post(`${path}/unapprove`)).body['approved_by']).toEqual([]);
  });

  it('are kept or revoked by a push, depending on the project', async () => {
    const settings = `/projects/${project.id}/approvals`;
    const { body, headers } = await project.maintainer.get(settings);
    expect(body).toEqual({
      approvers: [],
      approver_groups: [],
      approvals_before_merge: 0,
      reset_approvals_on_push: true,
      selective_code_owner_removals: false,
      disable_overriding_approvers_per_merge_request: false,
      merge_requests_author_approval: true,
      merge_requests_disable_committers_approval: false,
      require_password_to_approve: false,
    });
    expect(headers.get('deprecation')).toMatch(/^@\d+$/);
    expect((await project.developer.post(settings, { reset_approvals_on_push: false })).status).toBe(403);
    const changed = await project.maintainer.post(settings, { merge_requests_author_approval: false });
    expect([changed.status, changed.body]).toEqual([201, { ...body, merge_requests_author_approval: false }]);
    expect((await project.developer.post(`${path}/approve`)).status).toBe(403);
    const needed = await project.maintainer.post(settings, { approvals_before_merge: 2 });
    expect(needed.body).toMatchObject({ approvals_before_merge: 2, merge_requests_author_approval: false });
    expect((await project.maintainer.post(settings, { approvals_before_merge: 0 })).status).toBe(201);
    await plan('free');
    expect((await project.maintainer.get(settings)).status).toBe(403);
    expect((await project.developer.post(`${path}/approve`)).status).toBe(201);
    await plan('ultimate');
  });

  it('are required by rules of the project', async () => {
    const rules = `/projects/${project.id}/approval_rules`;
    const values = { name: 'Two eyes', approvals_required: 1, user_ids: [project.developerId, 4_000_000] };
    expect((await project.developer.post(rules, values)).status).toBe(403);
    const rule = await project.maintainer.post(rules, values);
    expect([rule.status, rule.body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Two eyes',
        rule_type: 'regular',
        users: [expect.objectContaining({ id: project.developerId })],
        groups: [],
      }),
    ]);
    expect((await project.maintainer.post(rules, values)).status).toBe(400);
    const other = await buildMergeRequest(project.maintainer, project.id, 'two');
    const at = `/projects/${project.id}/merge_requests/${other.iid}`;
    await api.sql(`update merge_requests set merge_status = 'can_be_merged' where id = $1`, [other.id]);
    const status = async (): Promise<unknown> =>
      (await project.developer.get(at)).body['detailed_merge_status'];
    expect(await status()).toBe('not_approved');
    expect((await project.developer.get(`${at}/approvals`)).body).toMatchObject({
      approved: false,
      approvals_required: 1,
      approvals_left: 1,
      approval_rules_left: [{ id: rule.body['id'], name: 'Two eyes' }],
    });
    await project.maintainer.post(`${at}/approve`);
    expect(await status()).toBe('not_approved');
    await project.developer.post(`${at}/approve`);
    expect(await status()).toBe('mergeable');
    const state = await project.developer.get(`${at}/approval_state`);
    expect(state.body).toMatchObject({ approval_rules_overwritten: false, rules: [{ approved: true }] });
    const one = `${rules}/${rule.body['id'] as number}`;
    expect((await project.maintainer.put(one, { approvals_required: 0 })).status).toBe(200);
    expect((await project.maintainer.delete(one)).status).toBe(204);
    expect((await project.maintainer.get(rules)).body).toEqual([]);
  });

  it('show members of a hidden group only to users who can see the group', async () => {
    const group = await buildGroup(api, { visibility: 'private' });
    const hidden = await createUser(api);
    await buildMember(api, `groups/${group.id}`, hidden.id, 30);
    const rules = `/projects/${project.id}/approval_rules`;
    const values = { name: 'Hidden', approvals_required: 1, group_ids: [group.id] };
    const rule = `${rules}/${(await api.root.post(rules, values)).body['id'] as number}`;
    const eligible = async (client: ApiClient): Promise<boolean[]> => {
      const shown = await client.get(rule);
      const state = await client.get(`${path}/approval_state`);
      return [shown, state].map(({ text }) => text.includes(hidden.username));
    };
    expect(await eligible(api.root)).toEqual([true, true]);
    expect(await eligible(project.developer)).toEqual([false, false]);
    await project.maintainer.delete(rule);
  });

  it('are missing for closed merge requests as for open ones', async () => {
    const rules = `/projects/${project.id}/approval_rules`;
    const rule = await project.maintainer.post(rules, {
      name: 'Two',
      rule_type: 'any_approver',
      approvals_required: 2,
    });
    const other = await buildMergeRequest(project.maintainer, project.id, 'three');
    const at = `/projects/${project.id}/merge_requests/${other.iid}`;
    await project.developer.post(`${at}/approve`);
    for (const event of ['close', 'reopen']) {
      await project.maintainer.put(at, { state_event: event });
      const { body } = await project.developer.get(`${at}/approvals`);
      expect(body).toMatchObject({ approved: false, approvals_required: 2, approvals_left: 1 });
    }
    await project.maintainer.delete(`${rules}/${rule.body['id'] as number}`);
  });

  it('are complete for merged ones, also if rules and members change later', async () => {
    const rules = `/projects/${project.id}/approval_rules`;
    const other = await buildMergeRequest(project.maintainer, project.id, 'four');
    const at = `/projects/${project.id}/merge_requests/${other.iid}`;
    await project.developer.post(`${at}/approve`);
    await api.sql(`update merge_requests set state = 'merged', merged_at = now() where id = $1`, [other.id]);
    const rule = await project.maintainer.post(rules, { name: 'Later', approvals_required: 2 });
    await project.maintainer.post(`/projects/${project.id}/approvals`, { approvals_before_merge: 2 });
    const { body } = await project.developer.get(`${at}/approvals`);
    expect(body).toMatchObject({ approved: true, approvals_left: 0, approval_rules_left: [] });
    const state = await project.developer.get(`${at}/approval_state`);
    expect(state.body).toMatchObject({ rules: [{ name: 'Later', approved: true }] });
    await project.maintainer.post(`/projects/${project.id}/approvals`, { approvals_before_merge: 0 });
    await project.maintainer.delete(`${rules}/${rule.body['id'] as number}`);
  });

  it('create an event', async () => {
    const { body } = await project.developer.get<{ action_name: string }[]>('/events?action=approved');
    expect(new Set(body.map((event) => event.action_name))).toEqual(new Set(['approved']));
  });
});
