import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Role } from '#kernel/access/roles.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../../support/api.js';
import { migrateHere } from '../../../../support/bulk-imports/migrate-here.js';
import { scriptGroup } from '../../../../support/bulk-imports/script-group.js';
import { buildGroup, type BuiltGroup } from '../../../../support/builders/group.js';
import { buildMember } from '../../../../support/builders/member.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import type { ApiClient } from '../../../../support/client.js';
import { FakeSource } from '../../../../support/fake-source.js';

// The importer also controls the source, which can list as many guessed addresses as they like.
let api: TestApi;
let source: FakeSource;
let attacker: CreatedUser;
let destination: BuiltGroup;
let people: Readonly<Record<(typeof NAMES)[number], CreatedUser>>;

const NAMES = ['hidden', 'shown', 'coy', 'mate', 'colleague', 'invited', 'former'] as const;

const addressOf = ({ username }: CreatedUser): string => `${username}@example.com`;

/** Responses of the source about its users, by id. */
const usersOfSource = (): Readonly<Record<number, object>> => ({
  11: { username: 'a', email: addressOf(people.hidden), confirmed_at: '2020-01-01T00:00:00Z' },
  12: { username: 'b', public_email: addressOf(people.shown) },
  13: { username: 'c', public_email: addressOf(people.coy) },
  14: { username: people.mate.username.toUpperCase() },
  15: { username: 'e', public_email: addressOf(people.colleague) },
  16: { username: people.invited.username },
  17: { username: people.former.username },
  18: { username: people.hidden.username },
  19: { username: 'i', email: addressOf(attacker) },
});

beforeAll(async () => {
  api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
  await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
  attacker = await createUser(api);
  const made = await Promise.all(NAMES.map(async (name) => [name, await createUser(api)] as const));
  people = Object.fromEntries(made) as typeof people;
  for (const one of [people.shown, people.coy])
    await api.root.put(`/users/${one.id}`, {
      public_email: addressOf(one),
      private_profile: one === people.coy,
    });
  destination = await buildGroup(api, { visibility: 'private' }, attacker.client);
  const place = `groups/${destination.id}`;
  await buildMember(api, place, people.mate.id, Role.Developer);
  await buildMember(api, place, people.colleague.id, Role.Developer);
  await buildMember(api, place, people.former.id, Role.Developer);
  await api.sql('update members set expires_at = current_date where user_id = $1', [people.former.id]);
  const closed = await buildGroup(api, { visibility: 'private' });
  await buildMember(api, `groups/${closed.id}`, people.invited.id, Role.Developer);
  await api.root.post(`/${place}/share`, { group_id: closed.id, group_access: Role.Developer });
});
afterAll(() => api.close());
beforeEach(async () => {
  source = await FakeSource.start();
  scriptPeople();
});
afterEach(() => source.stop());

/** A group with a member, an epic and a note by each user of the source. */
function scriptPeople(): void {
  const users = Object.entries(usersOfSource());
  const epics = users.map(([id], index) => ({
    ...{ id: index + 1, iid: index + 1, title: `Epic of ${id}`, author_id: Number(id) },
    notes: [{ id: index + 1, note: 'Said', author_id: Number(id) }],
  }));
  const lines = epics.map((epic) => `${JSON.stringify(epic)}\n`).join('');
  scriptGroup(source, lines);
  const members = users.map(([id]) => ({ id: Number(id), access_level: Role.Reporter }));
  for (const path of ['groups/7/members', 'groups/old/members/all'])
    source.json(`GET /api/v4/${path}`, members);
  for (const [id, user] of users) source.json(`GET /api/v4/users/${id}`, { id: Number(id), ...user });
}

interface Shown {
  readonly id: number;
  readonly title: string;
  readonly username: string;
  readonly author: { readonly id: number };
}

/** Users that were matched, according to all traces: by id at the source, or by names of users here. */
interface Told {
  readonly epics: readonly string[];
  readonly notes: readonly string[];
  readonly members: readonly string[];
}

async function migrate(
  client: ApiClient,
  importerId: number,
  slug: string,
  namespace: string,
): Promise<Told> {
  const entity = { source_full_path: 'old', destination_slug: slug, destination_namespace: namespace };
  const { failures } = await migrateHere(api, client, entity, source.url);
  expect(failures).toEqual([]);
  const path = namespace === '' ? slug : `${namespace}/${slug}`;
  const group = `/groups/${encodeURIComponent(path)}`;
  const epics = (await client.get<Shown[]>(`${group}/epics?per_page=100`)).body;
  const members = (await client.get<Shown[]>(`${group}/members`)).body;
  const notes = await api.sql<{ title: string }>(
    `select e.title from notes n join epics e on n.noteable_type = 'Epic' and e.id = n.noteable_id
       join namespaces g on g.id = e.group_id and g.full_path = $1 where n.author_id <> $2`,
    [path, importerId],
  );
  const recognized = epics.filter(({ author }) => author.id !== importerId);
  return {
    epics: recognized.map(({ title }) => title.slice(-2)).sort(),
    notes: [...new Set(notes.map(({ title }) => title.slice(-2)))].sort(),
    members: members
      .filter(({ id }) => id !== importerId)
      .map(
        ({ id }) => NAMES.find((name) => people[name].id === id) ?? (id === attacker.id ? 'attacker' : '?'),
      )
      .sort(),
  };
}

async function unmatched(client: ApiClient, namespace: string): Promise<unknown> {
  const { status, body } = await client.post<{ entities: { unmatched_users: Shown[] }[] }>('/bulk_imports', {
    configuration: { url: source.url, access_token: ROOT_TOKEN },
    entities: [
      {
        ...{ source_type: 'group_entity', source_full_path: 'old', destination_slug: 'planned' },
        destination_namespace: namespace,
      },
    ],
    dry_run: true,
  });
  expect(status).toBe(200);
  const users = Object.entries(usersOfSource()) as [string, { username: string }][];
  return body.entities[0]?.unmatched_users
    .map(({ username }) => users.find(([, user]) => user.username === username)?.[0])
    .sort();
}

describe('an importer who is not an administrator', () => {
  it('cannot find out whether a user has a private address', async () => {
    expect(await migrate(attacker.client, attacker.id, 'top-copy', '')).toEqual({
      epics: ['12'],
      notes: ['12'],
      members: ['shown'],
    });
    expect(await unmatched(attacker.client, '')).toEqual(['11', '13', '14', '15', '16', '17', '18']);
  });

  it('matches the members of the destination by their names, which they can see anyway', async () => {
    const told = await migrate(attacker.client, attacker.id, 'copy', destination.path);
    expect(told).toMatchObject({ epics: ['12', '14'], notes: ['12', '14'] });
    expect(told.members).toContain('shown');
    const ids = ['11', '13', '15', '16', '17', '18'];
    expect(await unmatched(attacker.client, destination.path)).toEqual(ids);
  });

  it('learns nothing about the members of other groups', async () => {
    const foreign = await buildGroup(api, { visibility: 'public' });
    await buildMember(api, `groups/${foreign.id}`, people.invited.id, Role.Developer);
    expect(await unmatched(attacker.client, foreign.path)).toContain('16');
  });
});

describe('an administrator', () => {
  it('matches users by any confirmed address', async () => {
    expect(await migrate(api.root, 1, 'by-root', '')).toEqual({
      epics: ['11', '12', '13', '15', '19'],
      notes: ['11', '12', '13', '15', '19'],
      members: ['attacker', 'colleague', 'coy', 'hidden', 'shown'],
    });
    expect(await unmatched(api.root, '')).toEqual(['14', '16', '17', '18']);
  });

  describe('with admin mode', () => {
    beforeAll(() => api.root.put('/application/settings', { admin_mode: true }));
    afterAll(() => api.root.put('/application/settings', { admin_mode: false }));

    it('matches users as well', async () => {
      const told = await migrate(api.root, 1, 'in-admin-mode', '');
      expect(told.epics).toEqual(['11', '12', '13', '15', '19']);
    });

    it('that is not entered matches users like others do', async () => {
      const plain = await createUser(api, { admin: true });
      const told = await migrate(plain.client, plain.id, 'without-admin-mode', '');
      expect(told.epics).toEqual(['12']);
      expect(await unmatched(plain.client, '')).toContain('11');
    });
  });
});
