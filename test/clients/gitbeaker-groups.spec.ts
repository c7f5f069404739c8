import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';
import { until } from '../support/until.js';

describe('groups and their members and tokens through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
  });
  afterAll(() => world.close());

  it('creates, nests, edits, shares, transfers and removes groups', async () => {
    const { Groups } = world.root;
    const shop = await Groups.create('Shop', 'shop', { visibility: 'private', description: 'sells' });
    expect(shop).toMatchObject({ full_path: 'shop', visibility: 'private', parent_id: null });
    const team = await Groups.create('Team', 'team', { parentId: shop.id });
    expect(team.full_path).toBe('shop/team');
    const other = await Groups.create('Other', 'other');
    expect(await Groups.show('shop/team')).toMatchObject({ id: team.id, parent_id: shop.id });
    expect(await Groups.allSubgroups('shop', {})).toMatchObject([{ id: team.id }]);
    expect(await Groups.allDescendantGroups(shop.id, {})).toMatchObject([{ id: team.id }]);
    expect(await Groups.edit(shop.id, { name: 'Shop 2', description: 'sells more' })).toMatchObject({
      name: 'Shop 2',
      description: 'sells more',
    });
    expect(await Groups.search('shop 2')).toMatchObject([{ id: shop.id }]);
    await Groups.share(shop.id, other.id, AccessLevel.DEVELOPER, { expiresAt: '2099-01-01' });
    expect((await Groups.show(shop.id)).shared_with_groups).toMatchObject([{ group_id: other.id }]);
    await Groups.unshare(shop.id, other.id, {});
    await Groups.transfer(team.id, { groupId: other.id });
    expect(await Groups.show(team.id)).toMatchObject({ full_path: 'other/team' });
    await Groups.remove(other.id);
    expect(await refusal(Groups.show(other.id))).toEqual([404, '404 Group Not Found']);
    expect(await refusal(Groups.show(team.id))).toEqual([404, '404 Group Not Found']);
    const paths = (await Groups.all()).map(({ full_path: path }) => path);
    expect(paths).toContain('shop');
    expect(paths).not.toContain('other/team');
  });

  it('lists with filters and looks up namespaces', async () => {
    const { Groups, Namespaces } = world.root;
    const top = await Groups.create('Listed', 'listed', { visibility: 'public' });
    await Groups.create('Below', 'below', { parentId: top.id, visibility: 'public' });
    const tops = await Groups.all({ topLevelOnly: true, search: 'listed' });
    expect(tops.map(({ path }) => path)).toEqual(['listed']);
    const skipped = await Groups.all({ skipGroups: [top.id], orderBy: 'path', sort: 'desc' });
    expect(skipped.map(({ id }) => id)).not.toContain(top.id);
    expect(await Groups.all({ owned: true, statistics: true, search: 'listed' })).toMatchObject([
      { statistics: { storage_size: 0 } },
    ]);
    expect(await jane.api.Groups.all({ minAccessLevel: AccessLevel.DEVELOPER })).toEqual([]);
    expect(await Namespaces.show('listed')).toMatchObject({ kind: 'group', full_path: 'listed' });
    expect(await Namespaces.all({ search: 'below' })).toMatchObject([{ path: 'below' }]);
    expect(await Namespaces.exists('listed')).toMatchObject({ exists: true });
  });

  it('adds, lists, edits and removes members', async () => {
    const { Groups, GroupMembers } = world.root;
    const group = await Groups.create('Crew', 'crew');
    const below = await Groups.create('Below', 'below', { parentId: group.id });
    const added = await GroupMembers.add(group.id, AccessLevel.DEVELOPER, {
      userId: jane.id,
      expiresAt: '2099-01-01',
    });
    expect(added).toMatchObject({ id: jane.id, access_level: 30, expires_at: '2099-01-01' });
    expect((await GroupMembers.all(group.id)).map(({ username }) => username).sort()).toEqual([
      'jane',
      'root',
    ]);
    expect(await GroupMembers.all(below.id, { query: 'jane' })).toEqual([]);
    expect(await GroupMembers.all(below.id, { includeInherited: true, query: 'jane' })).toMatchObject([
      { id: jane.id },
    ]);
    expect(await GroupMembers.show(below.id, jane.id, { includeInherited: true })).toMatchObject({
      access_level: 30,
    });
    expect(await GroupMembers.edit(group.id, jane.id, AccessLevel.MAINTAINER)).toMatchObject({
      access_level: 40,
    });
    expect((await refusal(GroupMembers.add(group.id, AccessLevel.DEVELOPER, { userId: jane.id })))[0]).toBe(
      409,
    );
    expect(await jane.api.Groups.all({ minAccessLevel: AccessLevel.MAINTAINER })).toHaveLength(2);
    await GroupMembers.remove(group.id, jane.id);
    expect(await refusal(GroupMembers.show(group.id, jane.id))).toEqual([404, '404 Member Not Found']);
  });

  it('creates group access tokens that act in the group', async () => {
    const { Groups, GroupAccessTokens } = world.root;
    const group = await Groups.create('Bots', 'bots');
    const made = await GroupAccessTokens.create(group.id, 'release', ['api'], '2099-01-01', {
      accessLevel: AccessLevel.OWNER,
    });
    expect(made).toMatchObject({ name: 'release', access_level: 50, scopes: ['api'], active: true });
    const bot = world.as(made.token);
    expect(await bot.Groups.create('Sub', 'sub', { parentId: group.id })).toMatchObject({
      full_path: 'bots/sub',
    });
    expect(await GroupAccessTokens.show(group.id, made.id)).toMatchObject({ id: made.id, revoked: false });
    expect(await GroupAccessTokens.all(group.id)).toMatchObject([{ id: made.id }]);
    const rotated = await GroupAccessTokens.rotate(group.id, made.id, { expiresAt: '2098-01-01' });
    expect(rotated.token).not.toBe(made.token);
    expect((await refusal(bot.Groups.all()))[0]).toBe(401);
    await GroupAccessTokens.revoke(group.id, rotated.id);
    expect((await refusal(world.as(rotated.token).Groups.all()))[0]).toBe(401);
  });

  it('creates deploy tokens, which the API refuses', async () => {
    const { Groups, DeployTokens } = world.root;
    const group = await Groups.create('Deploy', 'deploy');
    const made = await DeployTokens.create('pull', ['read_repository'], {
      groupId: group.id,
      expires_at: '2099-01-01T00:00:00.000Z',
      username: 'puller',
    });
    expect(made).toMatchObject({ username: 'puller', scopes: ['read_repository'], revoked: false });
    expect(await DeployTokens.show(made.id, { groupId: group.id })).toMatchObject({ name: 'pull' });
    expect(await DeployTokens.all()).toMatchObject([{ id: made.id }]);
    expect((await refusal(world.as(made.token).Groups.all()))[0]).toBe(401);
    await DeployTokens.remove(made.id, { groupId: group.id });
    expect(await DeployTokens.all({ groupId: group.id })).toEqual([]);
  });

  it('frees the path of a removed group once the job is done', async () => {
    const { Groups, Projects } = world.root;
    const group = await Groups.create('Gone', 'gone');
    const project = await Projects.create({ name: 'Inside', namespaceId: group.id });
    await Groups.remove('gone');
    expect(await refusal(Projects.show(project.id))).toEqual([404, '404 Project Not Found']);
    const again = await Groups.create('Gone', 'gone');
    expect(again.id).toBeGreaterThan(group.id);
    await until(async () => (await world.plain.get<unknown[]>(`/groups/gone/projects`)).body.length === 0);
  });
});
