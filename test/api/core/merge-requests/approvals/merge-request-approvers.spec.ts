import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { Role } from '#kernel/access/roles.js';
import type { TestApi } from '../../../../support/api.js';
import { buildMember } from '../../../../support/builders/member.js';
import { buildToken } from '../../../../support/builders/token.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import { gitUrl } from '../../../../support/git-http.js';
import { untilBlocking } from '../../../../support/lock-waits.js';
import { MergeWorld } from '../../../../support/merge-world.js';
import { borrowApi } from '../../../../support/shared-api.js';

const PASSWORD = 'a perfectly fine passphrase';

let api: TestApi;
let world: MergeWorld;

beforeAll(async () => {
  api = await borrowApi();
  world = await MergeWorld.build(api);
});
afterAll(() => api.close());

const configure = async (values: Readonly<Record<string, unknown>>): Promise<void> => {
  expect((await world.code.maintainer.post(`${world.base}/approvals`, values)).status).toBe(201);
};

describe('committers of a merge request', () => {
  beforeAll(() => configure({ merge_requests_disable_committers_approval: true }));
  afterAll(() => configure({ merge_requests_disable_committers_approval: false }));

  it('may not approve it, by any of their confirmed addresses; others may', async () => {
    const { iid } = await world.open('own');
    const path = `${world.base}/merge_requests/${iid}`;
    const { body } = await world.dev.get(`${path}/approvals`);
    expect(body).toMatchObject({ user_can_approve: false, user_has_approved: false });
    expect((await world.dev.post(`${path}/approve`)).status).toBe(403);
    const { body: seen } = await world.code.maintainer.get(`${path}/approvals`);
    expect(seen).toMatchObject({ user_can_approve: true });
    expect((await world.code.maintainer.post(`${path}/approve`)).status).toBe(201);

    const address = `second-${world.code.developerId}@example.com`;
    await world.code.work.git('fetch', '--quiet', world.code.repositoryPath, 'main');
    await world.code.work.git('checkout', '--quiet', '-B', 'second', 'FETCH_HEAD');
    await world.code.work.commit({ 'second.txt': '2' }, 'Second');
    await world.code.work.run(['commit', '--quiet', '--amend', '--no-edit'], {
      GIT_COMMITTER_EMAIL: address,
    });
    await world.code.work.git('push', '--quiet', world.code.repositoryPath, 'second');
    const made = await world.code.maintainer.post<{ iid: number }>(`${world.base}/merge_requests`, {
      title: 'Second',
      source_branch: 'second',
      target_branch: 'main',
    });
    const second = `${world.base}/merge_requests/${made.body.iid}`;
    const emails = `/users/${world.code.developerId}/emails`;
    expect((await api.root.post(emails, { email: address })).status).toBe(201);
    const { body: unconfirmed } = await world.dev.get(`${second}/approvals`);
    expect(unconfirmed).toMatchObject({ user_can_approve: true });
    await api.sql('update user_emails set confirmed_at = now() where email = $1', [address]);
    expect((await world.dev.post(`${second}/approve`)).status).toBe(403);
    // A merge request from before the addresses were stored.
    await api.sql('update merge_requests set committer_emails = null where project_id = $1', [world.code.id]);
    expect((await world.dev.post(`${second}/approve`)).status).toBe(403);
    expect((await world.dev.get(`${second}/approvals`)).body).toMatchObject({ user_can_approve: false });
    await api.root.put('/application/settings', { license_plan: 'free' });
    const free = await world.dev.post(`${second}/approve`);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
    expect(free.status).toBe(201);
  });

  it('lose the approvals that they gave before', async () => {
    await configure({ reset_approvals_on_push: false });
    const { iid } = await world.open('before');
    const path = `${world.base}/merge_requests/${iid}`;
    expect((await world.code.maintainer.post(`${path}/approve`)).status).toBe(201);
    expect((await api.root.post(`${path}/approve`)).status).toBe(201);
    const answer = await world.code.maintainer.post<{ id: string }>(`${world.base}/repository/commits`, {
      branch: 'before',
      commit_message: 'More',
      actions: [{ action: 'create', file_path: 'before-more.txt', content: '1' }],
    });
    await world.when(iid, ({ sha }) => sha === answer.body.id);
    const { body } = await world.dev.get<{ approved_by: { user: { id: number } }[] }>(`${path}/approvals`);
    expect(body.approved_by.map(({ user }) => user.id)).toEqual([1]);
  });

  it('may be anyone if there are too many addresses: all approvals are lost', async () => {
    const { iid } = await world.open('vast');
    const path = `${world.base}/merge_requests/${iid}`;
    expect((await api.root.post(`${path}/approve`)).status).toBe(201);
    const { work, repositoryPath, fullPath } = world.code;
    await work.git('fetch', '--quiet', repositoryPath, 'vast');
    await work.git('checkout', '--quiet', '-B', 'vast', 'FETCH_HEAD');
    for (let count = 0; count < 24; count += 1)
      await work.run(['commit', '--quiet', '--allow-empty', '-m', 'Vast'], {
        GIT_COMMITTER_EMAIL: `${count}${'x'.repeat(120_000)}@example.com`,
      });
    const token = await buildToken(api, 1, { scopes: ['write_repository'] });
    const url = gitUrl(api, `/${fullPath}.git`, ['root', token.token]);
    await work.git('push', '--quiet', url, 'vast');
    const head = await work.git('rev-parse', 'HEAD');
    await world.when(iid, ({ sha }) => sha === head);
    const { body } = await api.root.get(`${path}/approvals`);
    expect(body).toMatchObject({ approved_by: [], user_can_approve: false });
  });
});

describe('approvals with a password', () => {
  beforeAll(() => configure({ require_password_to_approve: true }));
  afterAll(() => configure({ require_password_to_approve: false }));

  const approver = async (): Promise<CreatedUser> => {
    const user = await createUser(api, { password: PASSWORD, force_random_password: false });
    await buildMember(api, `projects/${world.code.id}`, user.id, Role.Developer);
    return user;
  };

  it("are given only with the user's own password", async () => {
    const { client } = await approver();
    const { iid } = await world.open('password');
    const path = `${world.base}/merge_requests/${iid}`;
    const approve = async (values: object): Promise<unknown[]> => {
      const { status, body } = await client.post(`${path}/approve`, values);
      return [status, body['message']];
    };
    const { body } = await client.get(`${path}/approvals`);
    expect(body).toMatchObject({ require_password_to_approve: true, user_can_approve: true });
    expect(await approve({})).toEqual([401, '401 Unauthorized']);
    expect(await approve({ approval_password: '' })).toEqual([401, '401 Unauthorized']);
    expect(await approve({ approval_password: `${PASSWORD}!` })).toEqual([401, '401 Unauthorized']);
    expect((await client.get(`${path}/approvals`)).body).toMatchObject({ approved_by: [] });
    expect(await approve({ approval_password: PASSWORD })).toEqual([201, undefined]);
    expect((await client.post(`${path}/unapprove`)).status).toBe(201);
  });

  it('are locked out like sign-ins after wrong passwords', async () => {
    const { id, client } = await approver();
    const { iid } = await world.open('guess');
    const approve = (password: string): Promise<{ status: number }> =>
      client.post(`${world.base}/merge_requests/${iid}/approve`, { approval_password: password });
    for (let count = 0; count < 10; count += 1) expect((await approve(`wrong-${count}`)).status).toBe(401);
    expect((await approve(PASSWORD)).status).toBe(401);
    await api.sql('update users set failed_attempts = 0, locked_at = null where id = $1', [id]);
    expect((await approve(PASSWORD)).status).toBe(201);
  });

  it('are refused if the account is locked while the password is checked', async () => {
    const { id, client } = await approver();
    const { iid } = await world.open('together');
    const approval = await api.app.get(DataSource).transaction(async (tx) => {
      await tx.query('select 1 from users where id = $1 for update', [id]);
      const path = `${world.base}/merge_requests/${iid}/approve`;
      const sent = client.post(path, { approval_password: PASSWORD });
      await untilBlocking(api, tx);
      await tx.query('update users set failed_attempts = 10, locked_at = now() where id = $1', [id]);
      return { sent };
    });
    expect((await approval.sent).status).toBe(401);
  });
});
