import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

const KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK/baC3p4qFdrF/+l2Qci482XWRlzCYSoW6siBLXpgie me@host';

describe('users, keys and tokens through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
  });
  afterAll(() => world.close());

  it('creates, shows, finds, edits, blocks and removes users', async () => {
    const { Users } = world.root;
    const created = await Users.create({
      name: 'Zoe Zebra',
      username: 'zoe',
      email: 'zoe@example.com',
      resetPassword: true,
      externUid: 'zoe-1',
      provider: 'saml',
    });
    expect(created).toMatchObject({ username: 'zoe', state: 'active', email: 'zoe@example.com' });
    expect(await Users.show(created.id)).toMatchObject({ id: created.id, name: 'Zoe Zebra' });
    expect(await Users.all({ username: 'ZOE' })).toMatchObject([{ id: created.id }]);
    expect((await Users.all({ search: 'zebra' })).map(({ id }) => id)).toEqual([created.id]);
    expect(await Users.edit(created.id, { name: 'Zoe Z.', bio: 'stripes' })).toMatchObject({
      bio: 'stripes',
    });
    await Users.block(created.id);
    expect(await Users.all({ blocked: true })).toMatchObject([{ id: created.id, state: 'blocked' }]);
    await Users.unblock(created.id);
    await Users.deactivate(created.id);
    expect(await Users.show(created.id)).toMatchObject({ state: 'deactivated' });
    await Users.activate(created.id);
    await Users.ban(created.id);
    await Users.unban(created.id);
    await Users.remove(created.id);
    expect(await Users.all({ username: 'zoe' })).toEqual([]);
  });

  it('shows the current user, with status, preferences and counts', async () => {
    const { Users } = jane.api;
    expect(await Users.showCurrentUser()).toMatchObject({ id: jane.id, username: 'jane' });
    await Users.editStatus({ emoji: 'coffee', message: 'away', clearStatusAfter: '30_minutes' });
    expect(await Users.showStatus()).toMatchObject({ emoji: 'coffee', message: 'away' });
    expect(await Users.showStatus({ iDOrUsername: 'jane' })).toMatchObject({ message: 'away' });
    await world.root.Users.follow(jane.id);
    expect(await Users.allFollowers(jane.id)).toMatchObject([{ username: 'root' }]);
    await world.root.Users.unfollow(jane.id);
    expect(await Users.allFollowing(1)).toEqual([]);
  });

  it('adds, lists and removes SSH keys', async () => {
    const { UserSSHKeys } = jane.api;
    const added = await UserSSHKeys.create('laptop', KEY, { expiresAt: '2099-01-01' });
    expect(added).toMatchObject({ title: 'laptop', key: KEY, usage_type: 'auth_and_signing' });
    expect(await UserSSHKeys.show(added.id)).toEqual(added);
    expect(await world.root.UserSSHKeys.all({ userId: jane.id })).toEqual([added]);
    await UserSSHKeys.remove(added.id);
    expect(await UserSSHKeys.all()).toEqual([]);
  });

  it('creates, shows, rotates and revokes personal access tokens', async () => {
    const { PersonalAccessTokens } = world.root;
    const created = await PersonalAccessTokens.create(jane.id, 'ci', ['read_api'], {
      expiresAt: '2099-12-31',
    });
    expect(created).toMatchObject({ name: 'ci', scopes: ['read_api'], active: true, user_id: jane.id });
    expect(await PersonalAccessTokens.show({ tokenId: created.id })).toMatchObject({
      expires_at: '2099-12-31',
    });
    const found = await PersonalAccessTokens.all({ userId: jane.id, search: 'ci' });
    expect(found.map(({ id }) => id)).toEqual([created.id]);
    const rotated = await PersonalAccessTokens.rotate(created.id, { expiresAt: '2098-01-01' });
    expect(rotated).toMatchObject({ name: 'ci', expires_at: '2098-01-01' });
    const own = world.as(rotated.token);
    expect(await own.PersonalAccessTokens.show()).toMatchObject({ id: rotated.id });
    await own.PersonalAccessTokens.remove();
    expect(await refusal(own.Users.showCurrentUser())).toEqual([401, 'invalid_token']);
  });

  it('creates and revokes impersonation tokens', async () => {
    const { UserImpersonationTokens } = world.root;
    const made = await UserImpersonationTokens.create(jane.id, 'bot', ['api'], { expiresAt: '2099-01-01' });
    expect(made).toMatchObject({ impersonation: true, revoked: false });
    expect(await world.as(made.token ?? '').Users.showCurrentUser()).toMatchObject({ username: 'jane' });
    expect(await UserImpersonationTokens.show(jane.id, made.id)).toMatchObject({ name: 'bot' });
    expect(await UserImpersonationTokens.all(jane.id, { state: 'active' })).toMatchObject([{ id: made.id }]);
    await UserImpersonationTokens.revoke(jane.id, made.id);
    expect(await UserImpersonationTokens.all(jane.id, { state: 'active' })).toEqual([]);
  });

  it('acts as another user under sudo', async () => {
    expect(await world.root.Users.showCurrentUser({ sudo: 'jane' })).toMatchObject({ id: jane.id });
    expect(await world.root.Users.showCurrentUser({ sudo: jane.id })).toMatchObject({ id: jane.id });
    const project = await world.root.Projects.create({ name: 'By sudo', sudo: 'jane' });
    expect(project.path_with_namespace).toBe('jane/by-sudo');
    expect(await refusal(jane.api.Users.showCurrentUser({ sudo: 'root' }))).toEqual([
      403,
      expect.stringContaining('sudo'),
    ]);
    expect((await refusal(world.root.Users.showCurrentUser({ sudo: 'nobody' })))[0]).toBe(404);
  });
});
