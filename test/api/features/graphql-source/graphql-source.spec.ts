import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { buildGroup, type BuiltGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { clientOf, createUser, type CreatedUser } from '../../../support/builders/user.js';
import type { Answer, ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Result<Data = Record<string, never>> {
  readonly data?: Data;
  readonly errors?: readonly { readonly message: string }[];
}

interface PageOf<Node> {
  readonly page_info: { readonly next_page: string | null; readonly has_next_page: boolean };
  readonly nodes: readonly Node[];
}

let api: TestApi;
let group: BuiltGroup;
let project: BuiltProject;
let owner: CreatedUser;
let guest: CreatedUser;

beforeAll(async () => {
  api = await borrowApi();
  owner = await createUser(api);
  guest = await createUser(api);
  group = await buildGroup(api, { description: 'Ours', lfs_enabled: false, two_factor_grace_period: 12 });
  await buildMember(api, `groups/${group.id}`, owner.id, Role.Owner);
  await buildMember(api, `groups/${group.id}`, guest.id, Role.Guest, '2999-01-01');
  project = await buildProject(api.root, { namespace_id: group.id });
  await api.sql(`update users set public_email = email where id = $1`, [owner.id]);
});
afterAll(() => api.close());

const ask = <Data>(client: ApiClient, query: unknown, variables?: unknown): Promise<Answer<Result<Data>>> =>
  client.post<Result<Data>>('/api/graphql', { query, variables });

const GROUP = `query($full_path: ID!) {
  group(fullPath: $full_path) {
    id name path full_path: fullPath description visibility emails_disabled: emailsDisabled lfs_enabled: lfsEnabled
    mentions_disabled: mentionsDisabled project_creation_level: projectCreationLevel
    request_access_enabled: requestAccessEnabled require_two_factor_authentication: requireTwoFactorAuthentication
    share_with_group_lock: shareWithGroupLock subgroup_creation_level: subgroupCreationLevel
    two_factor_grace_period: twoFactorGracePeriod
  }
}`;

const PROJECT = `query($full_path: ID!) { project(fullPath: $full_path) { id name visibility created_at: createdAt } }`;

const PROJECTS = `query($full_path: ID!, $cursor: String, $per_page: Int) {
  group(fullPath: $full_path) {
    projects(includeSubgroups: false, first: $per_page, after: $cursor) {
      page_info: pageInfo { next_page: endCursor has_next_page: hasNextPage }
      nodes { name full_path: fullPath }
    }
  }
}`;

const members = (
  kind: string,
  field: string,
  relations: string,
): string => `query($full_path: ID!, $cursor: String, $per_page: Int) {
  portable: ${kind}(fullPath: $full_path) {
    members: ${field}(relations: [${relations}], first: $per_page, after: $cursor) {
      page_info: pageInfo { next_page: endCursor has_next_page: hasNextPage }
      nodes {
        created_at: createdAt updated_at: updatedAt expires_at: expiresAt
        access_level: accessLevel { integer_value: integerValue }
        user { user_gid: id public_email: publicEmail }
      }
    }
  }
}`;

const GROUP_MEMBERS = members('group', 'groupMembers', 'DIRECT INHERITED SHARED_FROM_GROUPS');

describe('the four queries', () => {
  it('return the attributes of a group and of a project', async () => {
    const { status, body } = await ask(owner.client, GROUP, { full_path: group.full_path });
    expect([status, body]).toEqual([
      200,
      {
        data: {
          group: {
            id: `gid://gitlab/Group/${group.id}`,
            name: group.name,
            path: group.path,
            full_path: group.full_path,
            description: 'Ours',
            visibility: 'private',
            emails_disabled: null,
            lfs_enabled: false,
            mentions_disabled: null,
            project_creation_level: 'developer',
            request_access_enabled: true,
            require_two_factor_authentication: false,
            share_with_group_lock: false,
            subgroup_creation_level: 'maintainer',
            two_factor_grace_period: 12,
          },
        },
      },
    ]);
    const path = project.path_with_namespace.toUpperCase();
    const found = await ask(owner.client, PROJECT, { full_path: path });
    expect(found.body.data).toMatchObject({
      project: { id: `gid://gitlab/Project/${project.id}`, name: project.name, visibility: 'private' },
    });
  });

  it('return the members of a group and of a project in pages', async () => {
    interface Member {
      readonly access_level: { readonly integer_value: number };
      readonly expires_at: string | null;
      readonly user: { readonly user_gid: string; readonly public_email: string | null };
    }
    const seen: Member[] = [];
    let cursor: string | null = null;
    do {
      const variables = { full_path: group.full_path, cursor, per_page: 1 };
      const answer: Answer<Result<{ portable: { members: PageOf<Member> } }>> = await ask(
        owner.client,
        GROUP_MEMBERS,
        variables,
      );
      const page = answer.body.data?.portable.members;
      seen.push(...(page?.nodes ?? []));
      cursor = page?.page_info.has_next_page ? page.page_info.next_page : null;
    } while (cursor !== null);
    const of = (id: number): Member | undefined =>
      seen.find(({ user }) => user.user_gid === `gid://gitlab/User/${id}`);
    expect(seen).toHaveLength(3);
    expect(of(owner.id)).toMatchObject({
      access_level: { integer_value: 50 },
      user: { public_email: `${owner.username}@example.com` },
    });
    expect(of(guest.id)).toMatchObject({ expires_at: '2999-01-01', user: { public_email: null } });
    await api.sql('update users set private_profile = true where id = $1', [owner.id]);
    const hidden = await ask(owner.client, GROUP_MEMBERS, { full_path: group.full_path, per_page: 10 });
    await api.sql('update users set private_profile = false where id = $1', [owner.id]);
    expect(hidden.status).toBe(200);
    expect(JSON.stringify(hidden.body)).not.toContain(`${owner.username}@example.com`);
    const relations = 'DIRECT INHERITED INVITED_GROUPS SHARED_INTO_ANCESTORS';
    const ofProject = members('project', 'projectMembers', relations);
    const { body } = await ask<{ portable: { members: PageOf<Member> } }>(owner.client, ofProject, {
      full_path: project.path_with_namespace,
    });
    expect(body.data?.portable.members.nodes.map(({ user }) => user.user_gid)).toContain(
      `gid://gitlab/User/${guest.id}`,
    );
    const direct = members('project', 'projectMembers', 'DIRECT');
    const own = await ask<{ portable: { members: PageOf<Member> } }>(owner.client, direct, {
      full_path: project.path_with_namespace,
    });
    expect(own.body.data?.portable.members.nodes).toEqual([]);
  });

  it('return the projects of a group that the caller can see', async () => {
    const parent = await buildGroup(api, { visibility: 'public' });
    const inner = await buildGroup(api, { parent_id: parent.id, visibility: 'public' });
    const names = ['one', 'two', 'three'];
    for (const name of names)
      await buildProject(api.root, { name, namespace_id: parent.id, visibility: 'public' });
    await buildProject(api.root, { name: 'hidden', namespace_id: parent.id });
    await buildProject(api.root, { name: 'below', namespace_id: inner.id, visibility: 'public' });
    type Data = { group: { projects: PageOf<{ name: string; full_path: string }> } };
    const variables = { full_path: parent.full_path, per_page: 2 };
    const first = (await ask<Data>(guest.client, PROJECTS, variables)).body.data?.group.projects;
    expect(first?.page_info.has_next_page).toBe(true);
    const cursor = first?.page_info.next_page;
    const second = (await ask<Data>(guest.client, PROJECTS, { ...variables, cursor })).body.data?.group
      .projects;
    expect([...(first?.nodes ?? []), ...(second?.nodes ?? [])].map(({ name }) => name)).toEqual(names);
    expect(second?.page_info.has_next_page).toBe(false);
    const all = `{ group(fullPath: "${parent.full_path}") { projects(includeSubgroups: true) { nodes { name } } } }`;
    const { body } = await ask<Data>(guest.client, all);
    expect(body.data?.group.projects.nodes.map(({ name }) => name)).toEqual([...names, 'below']);
  });
});

it('work with the REST calls that v4 destinations make, with the token in the query', async () => {
  const { id: groupId } = group;
  const paths = ['version', 'metadata', 'personal_access_tokens/self'];
  const ofGroup = ['subgroups', 'wikis', 'members/all', 'projects', 'export_relations/status'];
  paths.push(...ofGroup.map((path) => `groups/${groupId}/${path}`));
  paths.push(
    ...['wikis', 'members/all', 'export_relations/status'].map((path) => `projects/${project.id}/${path}`),
  );
  for (const path of paths) {
    const { status } = await api.anonymous.get(`/${path}?page=1&per_page=30&private_token=${ROOT_TOKEN}`);
    expect([path, status]).toEqual([path, 200]);
  }
  expect((await api.root.get(`/users/${owner.id}`)).body).toMatchObject({
    email: `${owner.username}@example.com`,
    public_email: `${owner.username}@example.com`,
  });
  const seen = (await guest.client.get(`/users/${owner.id}`)).body;
  expect([seen['public_email'], seen['email']]).toEqual([`${owner.username}@example.com`, undefined]);
});

describe('access', () => {
  const hidden = { data: { group: null } };

  it('is the same as through REST', async () => {
    const variables = { full_path: group.full_path };
    const stranger = await createUser(api);
    const external = await createUser(api, { external: true });
    const shown = async (client: ApiClient): Promise<unknown> =>
      (await ask(client, 'query($full_path: ID!) { group(fullPath: $full_path) { name } }', variables)).body;
    expect(await shown(api.anonymous)).toEqual({ message: '401 Unauthorized' });
    expect(await shown(stranger.client)).toEqual(hidden);
    expect(await shown(guest.client)).toEqual({ data: { group: { name: group.name } } });
    await api.sql(`update namespaces set visibility = 'internal' where id = $1`, [group.id]);
    expect(await shown(stranger.client)).not.toEqual(hidden);
    expect(await shown(external.client)).toEqual(hidden);
    await api.sql(`update namespaces set visibility = 'private' where id = $1`, [group.id]);
    const open = await buildGroup(api, { visibility: 'public' });
    const query = `{ group(fullPath: "${open.full_path}") { groupMembers { nodes { user { id } } } } }`;
    const { body } = await ask(external.client, query);
    expect(body).toMatchObject({
      data: { group: { groupMembers: { nodes: [{ user: { id: 'gid://gitlab/User/1' } }] } } },
    });
  });

  it('accepts tokens with a scope for reading, as bearer or private token', async () => {
    const query = { query: `{ group(fullPath: "${group.full_path}") { name } }` };
    const bearer = await api.anonymous.post('/api/graphql', query, { Authorization: `Bearer ${ROOT_TOKEN}` });
    expect(bearer.body).toEqual({ data: { group: { name: group.name } } });
    const reading = await clientOf(api, guest.id, ['read_api']);
    expect((await reading.post('/api/graphql', query)).body).toEqual(bearer.body);
    const other = await clientOf(api, guest.id, ['read_user']);
    expect((await other.post('/api/graphql', query)).status).toBe(403);
    expect((await api.as('glpat-wrong-wrong-wrong-1').post('/api/graphql', query)).status).toBe(401);
  });
});

describe('hostile queries', () => {
  const message = async (query: unknown, variables?: unknown): Promise<string> => {
    const { status, body } = await ask(api.root, query, variables);
    expect(status).toBe(200);
    return body.errors?.[0]?.message ?? '';
  };

  it('are refused if they are not queries', async () => {
    for (const query of [['{a}'], { a: 1 }, undefined, null, 'x'.repeat(10_001)])
      expect((await ask(api.root, query)).status).toBe(400);
    for (const variables of [['a'], 'x', '[1]', 7])
      expect((await ask(api.root, PROJECT, variables)).status).toBe(400);
    expect(await message('{')).toMatch(/Syntax Error/);
    expect(await message('mutation { a }')).toBe('Exactly one query is required');
    expect(await message('query A { __typename } query B { __typename }')).toBe(
      'Exactly one query is required',
    );
    expect(await message('{ __schema { types { name } } }')).toMatch(/introspection/i);
    expect(await message('{ user(id: 1) { email } }')).toMatch(/Cannot query field/);
    expect(await message(PROJECT, { full_path: ['a/b'] })).toMatch(/full_path/);
    expect(await message(PROJECT, {})).toMatch(/full_path/);
  });

  it('are refused if they cost too much', async () => {
    const many = Array.from({ length: 7 }, (_, index) => `g${index}: group(fullPath: "a") { id }`).join(' ');
    expect(await message(`{ ${many} }`)).toBe('The query is too large');
    const names = 'name '.repeat(101);
    expect(await message(`{ group(fullPath: "a") { ${names} } }`)).toBe('The query is too large');
    expect(await message('{a'.repeat(9) + '}'.repeat(9))).toBe('The query has more than 8 levels');
    expect(await message(`{ ${'a '.repeat(2_000)} }`)).toMatch(/tokens/);
    const fragment = '{ group(fullPath: "a") { ...F } } fragment F on Group { ...F }';
    expect(await message(fragment)).toMatch(/not supported/);
    expect(await message('{ ... on Query { __typename } }')).toBe('Fragments are not supported');
    expect(await message('['.repeat(9_000))).toMatch(/Syntax Error/);
  });

  it('are refused for invalid pages and paths', async () => {
    const page = (rest: string): string =>
      `{ group(fullPath: "${group.full_path}") { projects(${rest}) { nodes { name } } } }`;
    expect(await message(page('first: -1'))).toMatch(/negative/);
    expect(await message(page('first: 99999999999'))).toMatch(/32-bit/);
    for (const after of ['x', 'aWQ6LTE', 'a'.repeat(5_000), '1 or 1=1'])
      expect(await message(page(`after: "${after}"`))).toMatch(/not a cursor/);
    const huge = await ask(api.root, page('first: 1000000'));
    expect(huge.body.errors).toBeUndefined();
    for (const path of ['', '../..', 'a'.repeat(2_000), "a' or '1'='1", 'a\u0000b', String(group.id)]) {
      const { body } = await ask(api.root, PROJECT, { full_path: path });
      expect(body).toEqual({ data: { project: null } });
    }
  });
});
