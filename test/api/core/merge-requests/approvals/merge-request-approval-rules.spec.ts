import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Role } from '#kernel/access/roles.js';
import type { TestApi } from '../../../../support/api.js';
import type { CodeProject } from '../../../../support/builders/code-project.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import {
  buildMergeRequest,
  buildMergeRequestProject,
  type MergeRequestBody,
} from '../../../../support/builders/merge-request.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { untilBlocking, untilIdle } from '../../../../support/lock-waits.js';
import { borrowApi } from '../../../../support/shared-api.js';

interface Rule {
  readonly id: number;
  readonly name: string;
  readonly approvals_required: number;
}

let api: TestApi;
let project: CodeProject;
let mergeRequest: MergeRequestBody;
let path: string;
let rules: string;
let outsider: CreatedUser;

beforeAll(async () => {
  api = await borrowApi();
  project = await buildMergeRequestProject(api, { visibility: 'public' });
  mergeRequest = await buildMergeRequest(project.developer, project.id, 'one');
  await api.sql(`update merge_requests set merge_status = 'can_be_merged' where id = $1`, [mergeRequest.id]);
  path = `/projects/${project.id}/merge_requests/${mergeRequest.iid}`;
  rules = `${path}/approval_rules`;
  outsider = await createUser(api);
});
afterAll(() => api.close());

const status = async (): Promise<unknown> =>
  (await project.developer.get(path)).body['detailed_merge_status'];
const clear = async (): Promise<void> => {
  await api.sql('delete from approval_rules where project_id = $1', [project.id]);
};

describe('approval rules of a merge request', () => {
  it('are created, read, changed and removed', async () => {
    const values = { name: 'Own eyes', approvals_required: 1, user_ids: [project.developerId] };
    const made = await project.developer.post<Rule>(rules, values);
    expect([made.status, made.body]).toEqual([
      201,
      {
        id: expect.any(Number) as unknown,
        name: 'Own eyes',
        rule_type: 'regular',
        approvals_required: 1,
        eligible_approvers: [expect.objectContaining({ id: project.developerId })],
        users: [expect.objectContaining({ id: project.developerId })],
        groups: [],
        contains_hidden_groups: false,
      },
    ]);
    const one = `${rules}/${made.body.id}`;
    expect((await outsider.client.get(one)).body).toEqual(made.body);
    expect((await outsider.client.get(rules)).body).toEqual([made.body]);
    expect((await project.maintainer.get(`/projects/${project.id}/approval_rules`)).body).toEqual([]);
    const foreign = `/projects/${project.id}/approval_rules/${made.body.id}`;
    expect((await project.maintainer.get(foreign)).status).toBe(404);
    expect((await project.maintainer.delete(foreign)).status).toBe(404);
    expect((await project.developer.post(rules, values)).body).toEqual({
      message: { name: ['has already been taken'] },
    });
    const changed = await project.developer.put<Rule>(one, { name: 'Others', approvals_required: 2 });
    expect([changed.status, changed.body.name, changed.body.approvals_required]).toEqual([200, 'Others', 2]);
    expect((await project.developer.get(`${path}/approvals`)).body).toMatchObject({
      approvals_required: 2,
      approval_rules_left: [{ id: made.body.id, name: 'Others' }],
    });
    expect((await project.developer.delete(one)).status).toBe(204);
    expect((await project.developer.get(one)).body).toEqual({ message: '404 Approval Rule Not Found' });
    expect((await project.developer.put(one, { name: 'x' })).status).toBe(404);
  });

  it('replace those of the project', async () => {
    const needed = { name: 'Project', approvals_required: 1, user_ids: [project.developerId] };
    const source = await project.maintainer.post<Rule>(`/projects/${project.id}/approval_rules`, needed);
    expect(await status()).toBe('not_approved');
    const copy = { name: 'Any', approval_project_rule_id: source.body.id };
    const few = await project.developer.post(rules, { ...copy, approvals_required: 0 });
    expect([few.status, few.body]).toEqual([
      400,
      { message: { approvals_required: ['must be greater than or equal to 1'] } },
    ]);
    const unknown = { ...copy, approval_project_rule_id: 999_999_999, approvals_required: 1 };
    expect((await project.developer.post(rules, unknown)).status).toBe(404);
    const made = await project.developer.post<Rule>(rules, { ...copy, approvals_required: 1 });
    expect([made.status, made.body]).toEqual([
      201,
      expect.objectContaining({
        name: 'Project',
        users: [expect.objectContaining({ id: project.developerId })],
      }),
    ]);
    const state = await project.developer.get(`${path}/approval_state`);
    expect(state.body).toMatchObject({ approval_rules_overwritten: true, rules: [{ id: made.body.id }] });
    await project.maintainer.post(`${path}/approve`);
    expect(await status()).toBe('not_approved');
    const anybody = { user_ids: '', name: 'Anybody', approvals_required: 0 };
    expect((await project.developer.put(`${rules}/${made.body.id}`, anybody)).status).toBe(200);
    expect(await status()).toBe('mergeable');
    await project.developer.delete(`${rules}/${made.body.id}`);
    expect(await status()).toBe('not_approved');
    await project.maintainer.post(`${path}/unapprove`);
    await clear();
  });

  it('do not apply while the project forbids them, whenever they were made', async () => {
    const needed = { name: 'Project', approvals_required: 1, user_ids: [project.developerId] };
    const ofProject = await project.maintainer.post<Rule>(`/projects/${project.id}/approval_rules`, needed);
    const own = await project.developer.post<Rule>(rules, { name: 'Nobody', approvals_required: 0 });
    const now = async (): Promise<unknown[]> => {
      const { body } = await project.developer.get<{ rules: Rule[] }>(`${path}/approval_state`);
      return [await status(), ...body.rules.map(({ id }) => id)];
    };
    expect(await now()).toEqual(['mergeable', own.body.id]);
    const approvals = `/projects/${project.id}/approvals`;
    const forbid = (forbidden: boolean): Promise<unknown> =>
      project.maintainer.post(approvals, { disable_overriding_approvers_per_merge_request: forbidden });
    await forbid(true);
    expect(await now()).toEqual(['not_approved', ofProject.body.id]);
    await forbid(false);
    expect(await now()).toEqual(['mergeable', own.body.id]);
    await clear();
  });

  it('can be changed by its author and assignees, if the project allows it', async () => {
    const values = { name: 'Mine', approvals_required: 0 };
    expect((await api.anonymous.post(rules, values)).status).toBe(401);
    expect((await outsider.client.post(rules, values)).status).toBe(403);
    expect((await project.reporter.post(rules, values)).status).toBe(403);
    const approvals = `/projects/${project.id}/approvals`;
    const overriding = (forbidden: boolean): Promise<unknown> =>
      project.maintainer.post(approvals, { disable_overriding_approvers_per_merge_request: forbidden });
    await overriding(true);
    expect((await project.maintainer.post(rules, values)).status).toBe(403);
    await overriding(false);
    await api.root.put('/application/settings', { license_plan: 'free' });
    const free = await project.developer.get(rules);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect(free.status).toBe(403);
    expect((await project.developer.get(`${path}9/approval_rules`)).status).toBe(404);
    await api.sql(`update merge_requests set state = 'merged' where id = $1`, [mergeRequest.id]);
    const merged = await project.developer.post(rules, values);
    await api.sql(`update merge_requests set state = 'opened' where id = $1`, [mergeRequest.id]);
    expect(merged.status).toBe(403);
    expect((await project.developer.post(rules, { name: 'x' })).body).toEqual({
      message: '400 (Bad request) "approvals_required" not given',
    });
  });

  it('show who of a group has approved', async () => {
    const group = await buildGroup(api, { visibility: 'public' });
    const reviewer = await createUser(api);
    await buildMember(api, `groups/${group.id}`, reviewer.id, Role.Developer);
    await buildMember(api, `projects/${project.id}`, reviewer.id, Role.Developer);
    const values = { name: 'Group', approvals_required: 1, group_ids: [group.id] };
    expect((await project.developer.post(rules, values)).status).toBe(201);
    expect((await reviewer.client.post(`${path}/approve`)).status).toBe(201);
    const state = await project.developer.get(`${path}/approval_state`);
    expect(state.body).toMatchObject({
      rules: [{ name: 'Group', approved: true, approved_by: [{ id: reviewer.id }] }],
    });
    await clear();
  });

  it('are limited, as those of a project are, and their approvers too', async () => {
    const ofProject = `/projects/${project.id}/approval_rules`;
    const tooMany = { message: { base: ['has too many rules (maximum is 100)'] } };
    for (const [where, owner] of [
      [ofProject, null],
      [rules, mergeRequest.id],
    ] as const) {
      await clear();
      await api.sql(
        `insert into approval_rules (project_id, merge_request_id, name, approvals_required, rule_type)
         select $1::bigint, $2::bigint, 'rule ' || i, 0, 'regular' from generate_series(1, 99) i`,
        [project.id, owner],
      );
      const values = { approvals_required: 0 };
      const atOnce = ['Last', 'Also last', 'Last too'].map((name) =>
        project.maintainer.post(where, { ...values, name }),
      );
      expect((await Promise.all(atOnce)).map((made) => made.status).sort()).toEqual([201, 400, 400]);
      const refused = await project.maintainer.post(where, { ...values, name: 'One more' });
      expect([refused.status, refused.body]).toEqual([400, tooMany]);
    }
    const ids = Array.from({ length: 201 }, (_, index) => index + 1);
    const wide = { name: 'Wide', approvals_required: 0, user_ids: ids };
    expect((await project.maintainer.post(ofProject, wide)).status).toBe(400);
    await clear();
  });

  it('are 404 for a merge request that is removed in the meantime', async () => {
    const ofProject = { name: 'Of the project', approvals_required: 0 };
    const source = await project.maintainer.post<Rule>(`/projects/${project.id}/approval_rules`, ofProject);
    for (const values of [
      { name: 'Own', approvals_required: 0 },
      { ...ofProject, approval_project_rule_id: source.body.id },
    ]) {
      const { id, iid } = await buildMergeRequest(project.developer, project.id, 'two');
      await untilIdle(api);
      const { sent } = await api.app.get(DataSource).transaction(async (tx) => {
        await tx.query('delete from merge_requests where id = $1', [id]);
        const own = `/projects/${project.id}/merge_requests/${iid}/approval_rules`;
        const answer = project.developer.post(own, values);
        await untilBlocking(api, tx);
        return { sent: answer };
      });
      const { status: code, body } = await sent;
      expect([code, body]).toEqual([404, { message: '404 Merge Request Not Found' }]);
    }
    await clear();
  });
});
