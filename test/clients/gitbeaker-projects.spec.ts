import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('projects and their members and tokens through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let group: { id: number };
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    group = await world.root.Groups.create('Shop', 'shop', { visibility: 'public' });
  });
  afterAll(() => world.close());

  it('creates, shows, edits, archives, transfers and removes projects', async () => {
    const { Projects } = world.root;
    const web = await Projects.create({
      name: 'Web',
      namespaceId: group.id,
      description: 'front',
      visibility: 'internal',
      topics: ['ui', 'shop'],
      issuesAccessLevel: 'private',
    });
    expect(web).toMatchObject({
      path_with_namespace: 'shop/web',
      visibility: 'internal',
      topics: ['ui', 'shop'],
    });
    expect(await Projects.show('shop/web')).toMatchObject({ id: web.id, issues_access_level: 'private' });
    expect(await Projects.show(web.id, { statistics: true })).toMatchObject({
      statistics: { commit_count: 0 },
    });
    const edited = await Projects.edit(web.id, {
      description: 'new',
      visibility: 'public',
      lfsEnabled: false,
    });
    expect(edited).toMatchObject({ description: 'new', visibility: 'public', lfs_enabled: false });
    expect(await Projects.archive(web.id)).toMatchObject({ archived: true });
    expect(await Projects.unarchive(web.id)).toMatchObject({ archived: false });
    expect(await Projects.showLanguages(web.id)).toEqual({});
    expect(await Projects.transfer(web.id, 'root')).toMatchObject({ path_with_namespace: 'root/web' });
    const mine = await Projects.create({ userId: jane.id, name: 'For Jane' });
    expect(mine.path_with_namespace).toBe('jane/for-jane');
    await Projects.remove(web.id);
    expect(await refusal(Projects.show(web.id))).toEqual([404, '404 Project Not Found']);
  });

  it('lists projects with every filter', async () => {
    const { Projects, Groups } = world.root;
    const own = await Groups.create('Filters', 'filters', { visibility: 'public' });
    const make = (name: string, values: object = {}): Promise<{ id: number }> =>
      Projects.create({ name, namespaceId: own.id, visibility: 'private', ...values });
    const alpha = await make('Alpha', { visibility: 'public', topics: ['red'] });
    const beta = await make('Beta', { visibility: 'internal', issuesEnabled: false });
    const gamma = await make('Gamma');
    await Projects.archive(gamma.id);
    const ids = async (options: object): Promise<number[]> =>
      (await Projects.all({ orderBy: 'id', sort: 'asc', idAfter: alpha.id - 1, ...options })).map(
        ({ id }) => id,
      );
    expect(await ids({})).toEqual([alpha.id, beta.id, gamma.id]);
    expect(await ids({ archived: true })).toEqual([gamma.id]);
    expect(await ids({ archived: false, simple: true })).toEqual([alpha.id, beta.id]);
    expect(await ids({ visibility: 'public' })).toEqual([alpha.id]);
    expect(await ids({ search: 'filters', searchNamespaces: true })).toHaveLength(3);
    expect(await ids({ search: 'bet' })).toEqual([beta.id]);
    expect(await ids({ topic: 'red' })).toEqual([alpha.id]);
    expect(await ids({ withIssuesEnabled: true })).not.toContain(beta.id);
    expect(await ids({ idBefore: beta.id })).toEqual([alpha.id]);
    expect(await ids({ minAccessLevel: AccessLevel.OWNER, owned: true, membership: true })).toEqual([
      alpha.id,
      beta.id,
      gamma.id,
    ]);
    expect(await ids({ lastActivityAfter: '2001-01-01T00:00:00+02:00' })).toHaveLength(3);
    expect(await ids({ lastActivityBefore: '2001-01-01T00:00:00Z' })).toEqual([]);
    expect((await jane.api.Projects.all({ search: 'beta' })).map(({ id }) => id)).toEqual([beta.id]);
    expect((await Groups.allProjects(own.id, { orderBy: 'name', sort: 'desc' })).map(({ id }) => id)).toEqual(
      [gamma.id, beta.id, alpha.id],
    );
  });

  it('stars, lists stars and users, shares with groups', async () => {
    const { Projects, Groups, Users } = world.root;
    const project = await Projects.create({ name: 'Star', namespaceId: group.id, visibility: 'public' });
    expect(await jane.api.Projects.star(project.id)).toMatchObject({ star_count: 1 });
    expect(await Projects.allStarrers(project.id)).toMatchObject([{ user: { id: jane.id } }]);
    expect(await jane.api.Projects.all({ starred: true })).toMatchObject([{ id: project.id }]);
    expect(await Users.allStarredProjects('jane')).toMatchObject([{ id: project.id }]);
    expect(await jane.api.Projects.unstar(project.id)).toMatchObject({ star_count: 0 });
    const guests = await Groups.create('Guests', 'guests');
    await Projects.share(project.id, guests.id, AccessLevel.REPORTER, { expiresAt: '2099-01-01' });
    expect((await Projects.show(project.id)).shared_with_groups).toMatchObject([{ group_id: guests.id }]);
    expect((await Projects.allGroups(project.id, { withShared: true })).map(({ id }) => id)).toContain(
      guests.id,
    );
    await Projects.unshare(project.id, guests.id);
    expect(await Projects.allUsers(project.id)).toMatchObject([{ username: 'root' }]);
  });

  it('adds, lists, edits and removes members', async () => {
    const { Projects, ProjectMembers } = world.root;
    const project = await Projects.create({ name: 'Members', namespaceId: group.id });
    expect(await refusal(jane.api.Projects.show(project.id))).toEqual([404, '404 Project Not Found']);
    expect(await ProjectMembers.add(project.id, AccessLevel.REPORTER, { userId: jane.id })).toMatchObject({
      access_level: 20,
    });
    expect(await jane.api.Projects.show(project.id)).toMatchObject({
      permissions: { project_access: { access_level: 20 } },
    });
    expect((await refusal(jane.api.Projects.edit(project.id, { name: 'X' })))[0]).toBe(403);
    expect(await ProjectMembers.edit(project.id, jane.id, AccessLevel.DEVELOPER)).toMatchObject({
      access_level: 30,
    });
    expect(await ProjectMembers.all(project.id)).toMatchObject([{ id: jane.id }]);
    expect(await ProjectMembers.all(project.id, { includeInherited: true })).toHaveLength(2);
    expect(await ProjectMembers.show(project.id, 1, { includeInherited: true })).toMatchObject({
      access_level: 50,
    });
    await ProjectMembers.remove(project.id, jane.id);
    expect((await refusal(jane.api.Projects.show(project.id)))[0]).toBe(404);
  });

  it('creates project access tokens and deploy tokens', async () => {
    const { Projects, ProjectAccessTokens, DeployTokens } = world.root;
    const project = await Projects.create({ name: 'Tokens', namespaceId: group.id });
    const made = await ProjectAccessTokens.create(project.id, 'ci', ['read_api'], '2099-01-01', {
      accessLevel: AccessLevel.DEVELOPER,
    });
    const bot = world.as(made.token);
    expect(await bot.Projects.show(project.id)).toMatchObject({ id: project.id });
    expect(await refusal(bot.Environments.create(project.id, 'x'))).toEqual([403, 'insufficient_scope']);
    const rotated = await ProjectAccessTokens.rotate(project.id, made.id, { expiresAt: '2098-01-01' });
    expect(await ProjectAccessTokens.show(project.id, rotated.id)).toMatchObject({
      expires_at: '2098-01-01',
    });
    expect((await ProjectAccessTokens.all(project.id)).map(({ id }) => id)).toContain(rotated.id);
    await ProjectAccessTokens.revoke(project.id, rotated.id);
    const deploy = await DeployTokens.create('pull', ['read_repository'], { projectId: project.id });
    expect(await DeployTokens.all({ projectId: project.id })).toMatchObject([{ id: deploy.id }]);
    await DeployTokens.remove(deploy.id, { projectId: project.id });
    expect((await refusal(DeployTokens.show(deploy.id, { projectId: project.id })))[0]).toBe(404);
  });

  it('sends a form with a file', async () => {
    const { Projects } = world.root;
    const content = new Blob([Buffer.from('89504e470d0a1a0a', 'hex')], { type: 'image/png' });
    // Names in a form are sent as they are.
    const values = { name: 'Avatar', namespace_id: String(group.id), avatar: { content, filename: 'a.png' } };
    const form = await Projects.create(values);
    expect(form.path_with_namespace).toBe('shop/avatar');
    expect(form.avatar_url).toMatch(/\/uploads\/-\/system\/project\/avatar\/\d+\/a\.png$/);
  });
});
