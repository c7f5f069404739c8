import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import type { TestApi } from '../../../../support/api.js';
import { botOf, LOSSES, member } from '../../../../support/approvers.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildMergeRequest, buildMergeRequestProject } from '../../../../support/builders/merge-request.js';
import type { CreatedUser } from '../../../../support/builders/user.js';
import type { ApiClient } from '../../../../support/client.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;

beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());

describe('approvals of merge requests', () => {
  let projectId: number;
  let maintainer: ApiClient;
  let author: CreatedUser;
  let path: string;

  beforeAll(async () => {
    const project = await buildMergeRequestProject(api);
    ({ id: projectId, maintainer } = project);
    author = await member(api, projectId, Role.Maintainer);
    const { id, iid } = await buildMergeRequest(author.client, projectId, 'one');
    path = `/projects/${projectId}/merge_requests/${iid}`;
    await api.sql(`update merge_requests set merge_status = 'can_be_merged' where id = $1`, [id]);
  });

  const settings = async (values: object): Promise<void> => {
    expect((await maintainer.post(`/projects/${projectId}/approvals`, values)).status).toBe(201);
  };
  const state = async (): Promise<unknown[]> => {
    const [shown, approvals] = await Promise.all([maintainer.get(path), maintainer.get(`${path}/approvals`)]);
    return [
      shown.body['detailed_merge_status'],
      approvals.body['approved'],
      approvals.body['approvals_left'],
    ];
  };
  const OPEN = ['not_approved', false, 1];
  const DONE = ['mergeable', true, 0];
  const forget = (): Promise<unknown> => api.sql('delete from merge_request_approvals');

  /** Runs `work` with a rule, or with the number of approvals that the project requires. */
  async function under<T>(rule: object | null, work: () => Promise<T>): Promise<T> {
    const rules = `/projects/${projectId}/approval_rules`;
    if (rule === null) await settings({ approvals_before_merge: 1 });
    const made = rule && (await api.root.post(rules, { name: 'rule', approvals_required: 1, ...rule }));
    if (made) expect(made.status).toBe(201);
    try {
      return await work();
    } finally {
      if (made) await api.root.delete(`${rules}/${made.body['id'] as number}`);
      else await settings({ approvals_before_merge: 0 });
      await forget();
    }
  }

  it('do not count a bot unless a rule names it; it then counts once together with its creator', async () => {
    const maker = await member(api, projectId, Role.Maintainer);
    const bot = await botOf(api, maker.client, projectId);
    const group = await buildGroup(api);
    await api.sql(
      `insert into members (source_type, source_id, user_id, access_level) values ('Namespace', $1, $2, 40)`,
      [group.id, bot.id],
    );
    for (const rule of [null, { rule_type: 'any_approver' }, { group_ids: [group.id] }])
      await under(rule, async () => {
        expect((await bot.client.post(`${path}/approve`)).status).toBe(201);
        expect(await state()).toEqual(OPEN);
        const { body } = await maintainer.get<{ rules: { approved_by: unknown[] }[] }>(
          `${path}/approval_state`,
        );
        expect(body.rules.flatMap((one) => one.approved_by)).toEqual([]);
      });
    await under({ user_ids: [bot.id] }, async () => {
      await bot.client.post(`${path}/approve`);
      expect(await state()).toEqual(DONE);
    });
    await under({ user_ids: [bot.id, maker.id], approvals_required: 2 }, async () => {
      await bot.client.post(`${path}/approve`);
      await maker.client.post(`${path}/approve`);
      expect(await state()).toEqual(OPEN);
    });
  });

  it('count the bot of the author as the author', async () => {
    const bot = await botOf(api, author.client, projectId);
    await under({ user_ids: [bot.id] }, async () => {
      await bot.client.post(`${path}/approve`);
      expect(await state()).toEqual(DONE);
      await settings({ merge_requests_author_approval: false });
      expect(await state()).toEqual(OPEN);
      await forget();
      expect((await bot.client.get(`${path}/approvals`)).body['user_can_approve']).toBe(false);
      expect((await bot.client.post(`${path}/approve`)).status).toBe(403);
      await settings({ merge_requests_author_approval: true });
    });
  });

  it('count the bot of a committer as the committer', async () => {
    const bot = await botOf(api, author.client, projectId);
    const [row] = await api.sql<{ email: string }>('select email from users where id = $1', [author.id]);
    await api.sql('update merge_requests set committer_emails = $2 where project_id = $1', [
      projectId,
      [row?.email],
    ]);
    await settings({ merge_requests_disable_committers_approval: true });
    expect((await bot.client.post(`${path}/approve`)).status).toBe(403);
    await settings({ merge_requests_disable_committers_approval: false });
  });

  it.each(LOSSES)('no longer count users when they %s', async (_, lose) => {
    const approver = await member(api, projectId, Role.Developer);
    for (const rule of [null, { rule_type: 'any_approver' }, { user_ids: [approver.id] }])
      await under(rule, async () => {
        await api.sql(
          'insert into merge_request_approvals (merge_request_id, user_id) select id, $2 from merge_requests where project_id = $1',
          [projectId, approver.id],
        );
        expect(await state()).toEqual(DONE);
      });
    await under(null, async () => {
      await approver.client.post(`${path}/approve`);
      await lose(api, projectId, approver.id);
      expect(await state()).toEqual(OPEN);
      const { body } = await maintainer.get<{ approved_by: unknown[] }>(`${path}/approvals`);
      expect(body.approved_by).toHaveLength(1);
      const [given] = await api.sql<{ user_id: number }>('select user_id from merge_request_approvals');
      for (const rule of [{ rule_type: 'any_approver' }, { user_ids: [given?.user_id] }]) {
        await settings({ approvals_before_merge: 0 });
        const made = await api.root.post(`/projects/${projectId}/approval_rules`, {
          name: 'again',
          approvals_required: 1,
          ...rule,
        });
        expect(await state()).toEqual(OPEN);
        await api.root.delete(`/projects/${projectId}/approval_rules/${made.body['id'] as number}`);
      }
    });
  });
});
