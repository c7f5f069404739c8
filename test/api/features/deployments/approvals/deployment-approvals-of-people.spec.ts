import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { Role } from '#kernel/access/roles.js';
import { Transactions } from '#kernel/database/transactions.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { botOf, LOSSES, member } from '../../../../support/approvers.js';
import {
  buildBlockedDeployment,
  type BlockedDeployment,
} from '../../../../support/builders/blocked-deployment.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { CiEngine } from '../../../../support/ci-engine.js';
import type { Answer, ApiClient } from '../../../../support/client.js';
import { readsDuring } from '../../../../support/watched-reads.js';

let api: TestApi;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.close());

describe('approvals of deployments', () => {
  const NO_RIGHT =
    "You don't have permission to approve this deployment. Contact the project or group owner for help.";
  let ci: CiEngine;
  let maintainer: CreatedUser;

  beforeAll(async () => {
    const group = await buildGroup(api);
    ci = await CiEngine.start(api, { namespace_id: group.id });
    await ci.put({ auto_cancel_pending_pipelines: 'disabled' });
    maintainer = await member(api, ci.project.id, Role.Maintainer);
  });

  const at = (suffix = ''): string => `/projects/${ci.project.id}${suffix}`;

  const blocked = (protection: object): Promise<BlockedDeployment> => buildBlockedDeployment(ci, protection);
  const approve = (
    client: ApiClient,
    id: number,
    status = 'approved',
  ): Promise<Answer<{ message?: string }>> => client.post(at(`/deployments/${id}/approval`), { status });
  const pending = async (id: number): Promise<unknown> =>
    (await ci.project.reporter.get(at(`/deployments/${id}`))).body['pending_approval_count'];
  const play = async (jobId: number): Promise<number> =>
    (await ci.project.developer.post(at(`/jobs/${jobId}/play`))).status;

  it('do not count bots for roles, groups or deployers, nor the bot of a user whom a rule names', async () => {
    const bot = await botOf(api, maintainer.client, ci.project.id);
    const group = await buildGroup(api);
    await api.root.post(at('/share'), { group_id: group.id, group_access: 40 });
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Namespace', $1, $2, 40)`,
      [group.id, bot.id],
    );
    const rules = [{ access_level: 30 }, { group_id: group.id }, { user_id: ci.project.developerId }];
    for (const protection of [
      { required_approval_count: 1 },
      ...rules.map((rule) => ({ approval_rules: [rule] })),
    ]) {
      const { id } = await blocked(protection);
      for (const status of ['approved', 'rejected'])
        expect((await approve(bot.client, id, status)).body).toEqual({ message: NO_RIGHT });
    }
    const { id, jobId } = await blocked({
      approval_rules: [{ user_id: bot.id }, { user_id: maintainer.id }],
    });
    expect((await approve(bot.client, id)).status).toBe(201);
    expect(await pending(id)).toBe(1);
    expect((await approve(maintainer.client, id)).status).toBe(201);
    expect(await play(jobId)).toBe(200);
  });

  it('count the bot of the user who triggered them as the same person, and vice versa', async () => {
    const bot = await botOf(api, ci.project.maintainer, ci.project.id);
    const { id } = await blocked({ approval_rules: [{ user_id: bot.id }] });
    const own =
      'You cannot approve your own deployment. This configuration can be adjusted in the protected environment settings.';
    expect((await approve(bot.client, id)).body).toEqual({ message: own });
    await api.sql('update deployments set user_id = $2 where id = $1', [id, bot.id]);
    expect((await approve(ci.project.maintainer, id)).body).toEqual({ message: own });
    await ci.put({ allow_pipeline_trigger_approve_deployment: true });
    expect((await approve(bot.client, id)).status).toBe(201);
    expect(await pending(id)).toBe(0);
    // Approvals that are no longer allowed do not count.
    await ci.put({ allow_pipeline_trigger_approve_deployment: false });
    expect(await pending(id)).toBe(1);
  });

  it.each(LOSSES)('no longer count users when they %s', async (_, lose) => {
    const waiting: { id: number; jobId: number }[] = [];
    const approver = await member(api, ci.project.id, Role.Maintainer);
    for (const protection of [
      { required_approval_count: 1, deploy_access_levels: [{ access_level: 30 }] },
      { approval_rules: [{ access_level: 40 }] },
    ])
      waiting.push(await blocked(protection));
    for (const { id } of waiting) {
      expect((await approve(approver.client, id)).status).toBe(201);
      expect(await pending(id)).toBe(0);
    }
    await lose(api, ci.project.id, approver.id);
    for (const { id, jobId } of waiting) {
      expect(await pending(id)).toBe(1);
      expect(await play(jobId)).toBe(400);
      const { body } = await ci.project.reporter.get<{ approvals: unknown[] }>(at(`/deployments/${id}`));
      expect(body.approvals).toHaveLength(1);
      expect((await approve(maintainer.client, id)).status).toBe(201);
      expect(await play(jobId)).toBe(200);
    }
  });

  it('count an administrator while they are one, also with admin mode', async () => {
    const admin = await createUser(api, { admin: true }, ['api', 'admin_mode']);
    const { id } = await blocked({ approval_rules: [{ user_id: ci.project.developerId }] });
    await api.root.put('/application/settings', { admin_mode: true });
    try {
      expect((await approve(admin.client, id)).status).toBe(201);
      expect(await pending(id)).toBe(0);
    } finally {
      await api.sql(`update application_settings set values = values - 'admin_mode', version = version + 1`);
    }
    await api.root.put(`/users/${admin.id}`, { admin: false });
    expect(await pending(id)).toBe(1);
  });

  it('count a user again to whom another rule applies', async () => {
    const approver = await member(api, ci.project.id, Role.Maintainer);
    const { id } = await blocked({
      approval_rules: [{ access_level: 40 }, { user_id: approver.id }],
    });
    expect((await approve(approver.client, id)).status).toBe(201);
    await api.root.put(at(`/members/${approver.id}`), { access_level: 20 });
    expect(await pending(id)).toBe(2);
    expect((await approve(approver.client, id)).status).toBe(201);
    expect(await pending(id)).toBe(1);
  });

  it('do not count users whom a rule names once they cannot see deployments any more', async () => {
    const approver = await member(api, ci.project.id, Role.Developer);
    const { id, jobId } = await blocked({ approval_rules: [{ user_id: approver.id }] });
    expect((await approve(approver.client, id)).status).toBe(201);
    expect(await pending(id)).toBe(0);
    await api.root.put(at(`/members/${approver.id}`), { access_level: 10 });
    expect((await approve(approver.client, id)).status).toBe(403);
    expect(await pending(id)).toBe(1);
    expect(await play(jobId)).toBe(400);
  });

  it.each([
    ['a rule that replaces theirs', { approval_rules: [{ access_level: 40, required_approvals: 2 }] }],
    ['a rule that replaces a number of approvals', { required_approval_count: 2 }],
  ])('can be given again for %s', async (_, protection) => {
    const [one, other] = [
      await member(api, ci.project.id, Role.Maintainer),
      await member(api, ci.project.id, Role.Maintainer),
    ];
    const { id, jobId, name } = await blocked(protection);
    expect((await approve(one.client, id)).status).toBe(201);
    expect(await pending(id)).toBe(1);
    const path = at(`/protected_environments/${name}`);
    const { body } = await api.root.get<{ approval_rules: { id: number }[] }>(path);
    const gone = body.approval_rules.map((rule) => ({ id: rule.id, _destroy: true }));
    const fresh = [{ user_id: one.id }, { user_id: other.id }];
    expect((await api.root.put(path, { approval_rules: [...gone, ...fresh] })).status).toBe(200);
    expect(await pending(id)).toBe(2);
    for (const each of [one, other]) expect((await approve(each.client, id)).status).toBe(201);
    expect(await pending(id)).toBe(0);
    expect(await play(jobId)).toBe(200);
  });

  it('are refused if the rule for them is removed at the same moment', async () => {
    const approver = await member(api, ci.project.id, Role.Developer);
    const rules = [{ user_id: approver.id }, { access_level: 40 }];
    const { id } = await blocked({ approval_rules: rules });
    let answer: ReturnType<typeof approve> | undefined;
    await api.app.get(Transactions, { strict: false }).run(async (tx) => {
      await tx.query('delete from protected_environment_approval_rules where user_id = $1', [approver.id]);
      answer = approve(approver.client, id);
      await sleep(500);
    });
    expect(await answer).toMatchObject({ status: 400, body: { message: NO_RIGHT } });
    expect(await pending(id)).toBe(1);
  });

  it('are the same in lists as in single records, with one more statement if some deployments wait', async () => {
    const fresh = await CiEngine.start(api);
    await fresh.put({ auto_cancel_pending_pipelines: 'disabled' });
    const people = [
      await member(api, fresh.project.id, Role.Maintainer),
      await member(api, fresh.project.id, Role.Maintainer),
    ] as const;
    const waiting: number[] = [];
    for (const approver of people) {
      const { id } = await buildBlockedDeployment(fresh, { approval_rules: [{ access_level: 40 }] });
      const path = `/projects/${fresh.project.id}/deployments/${id}/approval`;
      expect((await approver.client.post(path, { status: 'approved' })).status).toBe(201);
      waiting.push(id);
    }
    await api.root.delete(`/projects/${fresh.project.id}/members/${people[0].id}`);
    interface Listed {
      readonly id: number;
      readonly pending_approval_count: number;
    }
    for (const statements of [3, 2]) {
      const reads = await readsDuring(api, async () => {
        const path = `/projects/${fresh.project.id}/deployments`;
        const { body } = await fresh.project.reporter.get<Listed[]>(path);
        const missing = waiting.map((id) => body.find((one) => one.id === id)?.pending_approval_count);
        expect(missing).toEqual([1, 0]);
      });
      expect(reads).toHaveLength(statements);
    }
  });

  it('no longer change once the deployment has started', async () => {
    const approver = await member(api, ci.project.id, Role.Maintainer);
    const { id, jobId } = await blocked({ approval_rules: [{ access_level: 40 }] });
    await approve(approver.client, id);
    expect(await play(jobId)).toBe(200);
    const [job] = await api.sql<{ pipeline_id: number }>('select pipeline_id from ci_jobs where id = $1', [
      jobId,
    ]);
    await ci.end(job?.pipeline_id ?? 0, 'deploy', 'success');
    await api.root.delete(at(`/members/${approver.id}`));
    expect(await pending(id)).toBe(0);
  });
});
