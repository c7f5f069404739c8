import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isComplete } from '../../support/complete.js';
import { comparable } from '../../support/migration/comparable.js';
import { fillGroup, type FilledGroup, type Staff } from '../../support/migration/filled-group.js';
import { basicUrl } from '../../support/migration/git-url.js';
import { Instance, type InstanceUser } from '../../support/migration/instance.js';
import { endedImport } from '../../support/migration/watch-import.js';
import { WorkingCopy } from '../../support/git.js';

// Two services, a tree of groups with projects (20 with 5,000 issues where tests run in full), moved by an unmodified client and compared at the far end.

const path = encodeURIComponent;
/** More issues than a page of any list has. */
const [PROJECTS, ISSUES_EACH] = isComplete() ? [20, 250] : [6, 110];
const NEW_ROOT = 'arrived';
const arrived = (full: string): string => full.replace(/^acme/, NEW_ROOT);

let source: Instance;
let destination: Instance;
let staff: Staff;
let filled: FilledGroup;
let mover: InstanceUser;
let importId: number;

beforeAll(async () => {
  [source, destination] = await Promise.all([Instance.start(), Instance.start()]);
  staff = {
    mover: await source.user('mover'),
    bob: await source.user('bob'),
    ada: await source.user('ada'),
  };
  filled = await fillGroup(source, staff, { projectCount: PROJECTS, issuesEach: ISSUES_EACH });
  mover = await destination.user('mover');
  await destination.user('ada');
});
afterAll(async () => {
  await source.close();
  await destination.close();
});

/**
 * The importing user replaces users who are unknown at the destination; links point to the created objects.
 */
const standingIn = (records: unknown): unknown =>
  JSON.parse(
    JSON.stringify(records)
      .replaceAll('"@bob"', '"@mover"')
      .replaceAll(`${source.url}/acme`, `${destination.url}/${NEW_ROOT}`),
  ) as unknown;

/** A list of either end in comparable form; sorted if the order may differ. */
async function both(
  full: string,
  list: string,
  without: readonly string[] = [],
): Promise<readonly [there: unknown, here: unknown]> {
  const of = filled.groups.includes(full) ? 'groups' : 'projects';
  const [there, here] = await Promise.all([
    source.all(`/${of}/${path(full)}/${list}`),
    destination.all(`/${of}/${path(arrived(full))}/${list}`),
  ]);
  return [standingIn(comparable(there, without)), comparable(here, without)];
}

it('a migration is requested by gitbeaker, and ends without failures', async () => {
  const client = destination.gitbeaker(mover.token);
  const made = await client.Migrations.create({ url: source.url, access_token: staff.mover.token }, [
    {
      sourceType: 'group_entity',
      sourceFullPath: 'acme',
      destinationSlug: NEW_ROOT,
      destinationNamespace: '',
    },
  ]);
  importId = made.id;
  const ended = await endedImport(mover.api, importId, 240_000);
  const entities = await client.Migrations.allEntities({ bulkImportId: importId, perPage: 100 });
  const failures = await destination.sql(
    'select relation, step, exception_class, exception_message, source_title from bulk_import_failures limit 20',
  );
  expect(failures).toEqual([]);
  expect(ended).toMatchObject({ status: 'finished', has_failures: false });
  expect(entities).toHaveLength(PROJECTS + 3);
  expect(new Set(entities.map(({ status }) => status))).toEqual(new Set(['finished']));
});

describe('groups', () => {
  it('have their attributes, labels, milestones and members', async () => {
    for (const group of filled.groups) {
      const [there, here] = await Promise.all([
        source.root.get(`/groups/${path(group)}`),
        destination.root.get(`/groups/${path(arrived(group))}`),
      ]);
      const varying = ['path', 'full_name', 'created_at', 'projects', 'name'];
      expect(comparable(here.body, varying)).toEqual(comparable(there.body, varying));
      for (const list of ['labels?with_counts=true', 'milestones'])
        expect((await both(group, list))[1]).toEqual((await both(group, list))[0]);
    }
    const members = await destination.all<{ username: string; access_level: number }>(
      `/groups/${NEW_ROOT}/members`,
    );
    expect(members.map(({ username, access_level }) => [username, access_level]).sort()).toEqual([
      ['ada', 40],
      ['mover', 50],
    ]);
  });

  it('have their epics with notes, and the issues in them in their order', async () => {
    const [there, here] = await both('acme', 'epics?sort=asc', ['reference']);
    expect(here).toEqual(there);
    const lists = await Promise.all([
      source.all<{ iid: number; title: string }>('/groups/acme/epics/1/issues'),
      destination.all<{ iid: number; title: string }>(`/groups/${NEW_ROOT}/epics/1/issues`),
    ]);
    const [order, moved] = lists.map((list) => list.map(({ iid, title }) => [iid, title]));
    expect(moved).toEqual(order);
    expect(moved).toHaveLength(3);
    const [below, belowHere] = await both('acme/web', 'epics', ['reference']);
    expect(belowHere).toEqual(below);
    expect(below).toMatchObject([{ title: 'A part of that', parent_iid: 3 }]);
  });
});

describe('projects', () => {
  it('are all imported, with all their issues and notes', async () => {
    for (const project of filled.projects) {
      const [there, here] = await both(project, 'issues?scope=all&order_by=created_at&sort=asc');
      expect(here).toEqual(there);
    }
    const count = `select count(*)::int as issues, (select count(*)::int from notes where not system and noteable_type = 'Issue') as notes,
      (select count(*)::int from issues where closed_at is not null) as closed from issues`;
    expect(await destination.sql(count)).toEqual(await source.sql(count));
  });

  it('have their attributes', async () => {
    const [there, here] = await Promise.all([
      source.root.get(`/projects/${path(filled.rich)}`),
      destination.root.get(`/projects/${path(arrived(filled.rich))}`),
    ]);
    const varying = ['namespace', 'created_at', 'updated_at', 'creator_id', 'owner'];
    expect(comparable(here.body, varying)).toEqual(comparable(there.body, varying));
  });

  it('have everything else', async () => {
    const lists = [
      'labels?with_counts=true',
      'milestones',
      'merge_requests?scope=all&sort=asc',
      'protected_branches',
      'protected_tags',
      'environments',
      'freeze_periods',
      'deployments',
      'pipelines',
      'snippets',
      'repository/branches',
      'repository/tags',
      'repository/commits?all=true',
      'wikis?with_content=true',
    ];
    for (const list of lists) {
      const [there, here] = await both(filled.rich, list, ['deployable', 'pipeline', 'head_pipeline']);
      expect({ [list]: here }).toEqual({ [list]: there });
      if (list !== 'protected_tags') expect({ [list]: there }).not.toEqual({ [list]: [] });
    }
  });

  it('have notes with their authors, unknown ones as text', async () => {
    const iid = ISSUES_EACH + 1;
    const [there, here] = await both(filled.rich, `issues/${iid}/notes?sort=asc&order_by=created_at`);
    const texts = (notes: unknown): string[] =>
      (notes as { body: string; author: string; system: boolean }[])
        .filter(({ system }) => !system)
        .map(({ author, body }) => `${author}: ${body}`);
    expect(texts(there)).toEqual([
      '@ada: By ada, for @bob',
      '@mover: By bob',
      '@ada: A thread',
      '@mover: An answer',
    ]);
    const [ada, bob, thread, answer] = texts(here);
    expect([ada, thread, answer]).toEqual(['@ada: By ada, for @bob', '@ada: A thread', '@mover: An answer']);
    expect(bob).toMatch(/^@mover: By bob\n\n.*bob of all.*\d{4}-\d\d-\d\d/s);
    // The order of the projects is random.
    const byType = (links: unknown): unknown[] =>
      (links as { link_type: string }[]).sort((one, other) => one.link_type.localeCompare(other.link_type));
    const links = (await both(filled.rich, 'issues/2/links')).map(byType);
    expect(links[1]).toEqual(links[0]);
    expect(links[0]).toMatchObject([{ link_type: 'blocks' }, { link_type: 'relates_to' }]);
    const emoji = await both(filled.rich, `issues/${iid}/award_emoji`);
    expect(emoji[1]).toEqual(emoji[0]);
    const issue = await destination.root.get<{ description: string }>(
      `/projects/${path(arrived(filled.rich))}/issues/${iid}`,
    );
    expect(issue.body.description).toBe(`See ${destination.url}/${arrived(filled.rich)}/-/issues/1`);
  });

  it('have code that git clones', async () => {
    const [there, here] = [await new WorkingCopy().init(), await new WorkingCopy().init()];
    try {
      const refs = (work: WorkingCopy, url: string): Promise<string> =>
        work.git('ls-remote', '--heads', '--tags', url);
      const code = await refs(there, basicUrl(source.url, filled.rich, staff.mover.token));
      expect(await refs(here, basicUrl(destination.url, arrived(filled.rich), mover.token))).toBe(code);
      expect(code.split('\n')).toHaveLength(5);
    } finally {
      there.remove();
      here.remove();
    }
  });
});

it('a migration shows its progress only to its user', async () => {
  const { body } = await mover.api.get<{
    entities: { relations: { relation: string; imported: number; source: number }[] }[];
  }>(`/bulk_imports/${importId}/progress`);
  const issues = body.entities.flatMap(({ relations }) =>
    relations.filter(({ relation }) => relation === 'issues'),
  );
  expect(issues).toHaveLength(PROJECTS);
  expect(issues.reduce((sum, { imported }) => sum + imported, 0)).toBe(PROJECTS * ISSUES_EACH + 1);
  const stranger = await destination.user('stranger');
  expect((await stranger.api.get(`/bulk_imports/${importId}`)).status).toBe(404);
  const secrets = await destination.sql<{ sealed: string | null }>(
    'select source_token_sealed as sealed from bulk_imports where id = $1',
    [importId],
  );
  expect(secrets).toEqual([{ sealed: null }]);
});
