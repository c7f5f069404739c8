import { Gitlab } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { shaOf } from '../support/builders/deployment.js';
import { refusal, startClientWorld, type ClientWorld } from '../support/gitbeaker.js';

const COUNT = 23;

describe('paging and errors through gitbeaker', () => {
  let world: ClientWorld;
  let project: { id: number };
  let ids: number[];
  beforeAll(async () => {
    world = await startClientWorld();
    const { Projects, Deployments } = world.root;
    project = await Projects.create({ name: 'Paged' });
    ids = [];
    for (let number = 1; number <= COUNT; number += 1) {
      const options = { status: 'success' } as const;
      ids.push(
        (await Deployments.create(project.id, 'production', shaOf(number), 'main', false, options)).id,
      );
    }
    for (const name of ['a', 'b', 'c', 'd']) await Projects.create({ name });
  });
  afterAll(() => world.close());

  it('walks all pages by offset', async () => {
    const all = await world.root.Deployments.all(project.id, { perPage: 5 });
    expect(all.map(({ id }) => id)).toEqual(ids);
  });

  it('returns one page with its page numbers', async () => {
    const { data, paginationInfo } = await world.root.Deployments.all(project.id, {
      page: 2,
      perPage: 10,
      showExpanded: true,
    });
    expect(data.map(({ id }) => id)).toEqual(ids.slice(10, 20));
    expect(paginationInfo).toEqual({
      total: COUNT,
      next: 3,
      current: 2,
      previous: 1,
      perPage: 10,
      totalPages: 3,
    });
  });

  it('stops at the requested page', async () => {
    const some = await world.root.Deployments.all(project.id, { perPage: 4, maxPages: 2 });
    expect(some.map(({ id }) => id)).toEqual(ids.slice(0, 8));
  });

  it.each([
    ['asc', 3],
    ['desc', 7],
  ] as const)('walks all deployments by keyset, %s', async (sort, perPage) => {
    const options = { pagination: 'keyset', orderBy: 'id', sort, perPage } as const;
    const all = await world.root.Deployments.all<false, 'keyset'>(project.id, options);
    expect(all.map(({ id }) => id)).toEqual(sort === 'asc' ? ids : ids.toReversed());
  });

  it('walks projects, groups and audit events by keyset', async () => {
    const { Projects, Groups, AuditEvents } = world.root;
    for (const name of ['x', 'y', 'z']) await Groups.create(name, `group-${name}`);
    const keyset = { pagination: 'keyset', perPage: 2 } as const;
    const byId = { ...keyset, orderBy: 'id', sort: 'desc' } as const;
    const projects = (await Projects.all(byId)).map(({ id }) => id);
    expect(projects).toHaveLength(5);
    expect(projects).toEqual(projects.toSorted((a, b) => b - a));
    const groups = await Groups.all({ ...keyset, orderBy: 'name', sort: 'asc' });
    expect(groups.map(({ name }) => name)).toEqual(['x', 'y', 'z']);
    const events = await AuditEvents.all<false, 'keyset'>(byId);
    expect(events.length).toBeGreaterThanOrEqual(3);
    expect(new Set(events.map(({ id }) => id)).size).toBe(events.length);
  });

  it('returns its position by keyset', async () => {
    const answer = await world.root.Projects.all({
      pagination: 'keyset',
      orderBy: 'id',
      sort: 'asc',
      perPage: 2,
      maxPages: 1,
      showExpanded: true,
    });
    expect(answer.data).toHaveLength(2);
    expect(answer.paginationInfo).toMatchObject({ perPage: 2, orderBy: 'id', sort: 'asc' });
  });

  it('shows the text of each kind of error', async () => {
    const { root } = world;
    const jane = await world.user('jane');
    expect(await refusal(root.Projects.show('no/such'))).toEqual([404, '404 Project Not Found']);
    expect(await refusal(jane.api.Projects.show(project.id))).toEqual([404, '404 Project Not Found']);
    expect(await refusal(jane.api.ApplicationSettings.show())).toEqual([403, '403 Forbidden']);
    expect(await refusal(world.as('wrong').Projects.all({ owned: true }))).toEqual([401, '401 Unauthorized']);
    const nobody = new Gitlab({ host: world.product.url, token: '' });
    expect(await refusal(nobody.Users.showCurrentUser())).toEqual([401, '401 Unauthorized']);
    const reader = await world.user('reader', ['read_api']);
    expect(await refusal(reader.api.Projects.create({ name: 'x' }))).toEqual([403, 'insufficient_scope']);
    const user = { name: 'Jane', username: 'jane', email: 'other@example.com', resetPassword: true };
    expect(await refusal(root.Users.create(user))).toEqual([409, 'Username has already been taken']);
    expect(await refusal(root.Groups.create('', 'empty'))).toEqual([400, '{"name":["is empty"]}']);
    expect(await refusal(root.Epics.all('nowhere'))).toEqual([404, expect.any(String)]);
  });

  it('sends tokens as OAuth clients do, and converts to camel-case names on request', async () => {
    const reader = await world.user('bearer', ['read_user']);
    const api = new Gitlab({ host: world.product.url, oauthToken: reader.token, camelize: true });
    expect(await api.Users.showCurrentUser()).toMatchObject({ username: 'bearer', canCreateGroup: true });
  });
});
