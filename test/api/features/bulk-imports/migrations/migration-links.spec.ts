import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { linkIssues } from '#core/issues/exchange/link-issues.js';
import { FailureRows } from '#features/bulk-imports/engine/failure.row.js';
import { ImportLimits } from '#features/bulk-imports/engine/import-limits.js';
import { EntityTarget } from '#features/bulk-imports/engine/target/entity-target.js';
import { LinkRewriter } from '#features/bulk-imports/engine/target/link-rewriter.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { buildGroup } from '../../../../support/builders/group.js';
import { buildIssue } from '../../../../support/builders/issue.js';
import { buildMember } from '../../../../support/builders/member.js';
import { buildProject } from '../../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../../support/builders/user.js';
import type { ApiClient } from '../../../../support/client.js';
import { migrateHere, type MigratedHere } from '../../../../support/bulk-imports/migrate-here.js';
import { exportRecords } from '../../../../support/transfer-target.js';
import { until } from '../../../../support/until.js';

interface Shown {
  readonly id: number;
  readonly iid: number;
  readonly title: string;
  readonly parent_iid?: number | null;
}

interface Linked extends Shown {
  readonly link_type: string;
  readonly link_created_at: string;
  readonly references: { readonly full: string };
}

// The service is its own source; each record comes in a separate batch, so that links cannot rely on a common
// one.
describe('imported links between objects', () => {
  let api: TestApi;
  let mover: CreatedUser;
  let top: { readonly id: number };
  let projects: { readonly a: number; readonly b: number; readonly outside: number };
  let ended: MigratedHere;

  const link = async (from: number, iid: number, to: number, other: number, type: string): Promise<void> => {
    const values = { target_project_id: to, target_issue_iid: other, link_type: type };
    expect((await api.root.post(`/projects/${from}/issues/${iid}/links`, values)).status).toBe(201);
  };
  const epic = async (group: number, values: object): Promise<Shown> => {
    const answer = await api.root.post<Shown>(`/groups/${group}/epics`, values);
    expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
    return answer.body;
  };

  const notesOf = async (path: string, client: ApiClient): Promise<string[]> => {
    const notes = await client.get<{ body: string }[]>(
      `/projects/${encodeURIComponent(path)}/issues/1/notes?sort=asc`,
    );
    return notes.body.map(({ body }) => body.replace(/\n.*/s, '')).sort();
  };
  /** Mentions the first issue of a project in two others, one of them confidential, and a merge request. */
  const mentionFirstOf = async (id: number): Promise<void> => {
    const text = { title: 'Names it', description: 'See #1' };
    await api.root.put(`/projects/${id}/issues/2`, text);
    await buildIssue(api.root, id, { ...text, confidential: true });
    await api.root.post(`/projects/${id}/repository/branches`, { branch: 'more', ref: 'main' });
    const values = { ...text, source_branch: 'more', target_branch: 'main' };
    expect((await api.root.post(`/projects/${id}/merge_requests`, values)).status).toBe(201);
    const mentions = (note: string): boolean => note.startsWith('mentioned in');
    await until(async () => (await notesOf('plan/sub/b', api.root)).filter(mentions).length === 3);
  };

  beforeAll(async () => {
    api = await startApi({ ALLOW_LOCAL_REQUESTS: 'true' });
    await api.root.put('/application/settings', { bulk_import_rate_limit: 0 });
    Object.assign(api.app.get(ImportLimits, { strict: false }), { batchRows: 1, firstExportPauseMs: 20 });
    mover = await createUser(api);
    top = await buildGroup(api, { path: 'plan' });
    const sub = await buildGroup(api, { path: 'sub', parent_id: top.id });
    const a = await buildProject(api.root, { namespace_id: top.id, path: 'a' });
    const b = await buildProject(api.root, { namespace_id: sub.id, path: 'b', initialize_with_readme: true });
    const outside = await buildProject(api.root);
    projects = { a: a.id, b: b.id, outside: outside.id };
    for (const id of [a.id, a.id, a.id, b.id, b.id, outside.id]) await buildIssue(api.root, id);
    await link(a.id, 1, a.id, 2, 'relates_to');
    await link(a.id, 3, a.id, 1, 'is_blocked_by');
    await link(a.id, 1, b.id, 1, 'blocks');
    await link(b.id, 2, a.id, 2, 'blocks');
    await link(outside.id, 1, a.id, 1, 'relates_to');
    const first = await epic(top.id, { title: 'Leaf' });
    const second = await epic(top.id, { title: 'Trunk' });
    const third = await epic(top.id, { title: 'Branch', parent_id: second.id });
    await api.root.put(`/groups/${top.id}/epics/${first.iid}`, { parent_id: third.id });
    await epic(top.id, { title: 'Other branch', parent_id: second.id });
    await epic(sub.id, { title: 'Twig', parent_id: third.id, confidential: true });
    await mentionFirstOf(b.id);
    ended = await migrateHere(
      api,
      mover.client,
      { source_full_path: 'plan', destination_slug: 'moved' },
      api.url,
    );
  });
  afterAll(() => api.close());

  it('are imported without failures', () => {
    expect(ended.failures).toEqual([]);
    expect(ended.entities.map(({ status }) => status)).toEqual(Array(4).fill('finished'));
  });

  it('include links of issues, also to other projects, from both ends, with their original times', async () => {
    const linksOf = async (root: string, path: string, iid: number): Promise<unknown[]> => {
      const { body } = await api.root.get<Linked[]>(
        `/projects/${encodeURIComponent(`${root}/${path}`)}/issues/${iid}/links`,
      );
      return body
        .map((one) => [one.references.full.replace(/^[^/]*/, ''), one.link_type, one.link_created_at])
        .sort();
    };
    for (const [path, iid, count] of [
      ['a', 1, 3],
      ['a', 2, 2],
      ['a', 3, 1],
      ['sub/b', 1, 1],
      ['sub/b', 2, 1],
    ] as const) {
      const there = (await linksOf('plan', path, iid)).filter((one) => /\/[ab]#/.test(String(one)));
      const here = await linksOf('moved', path, iid);
      expect({ [`${path}#${iid}`]: here }).toEqual({ [`${path}#${iid}`]: there });
      expect(here).toHaveLength(count);
    }
  });

  it('include parents of epics, in any order of arrival, with their positions', async () => {
    const tree = `select g.path, e.title, p.title as parent, e.relative_position as place, case when e.title = 'Leaf' then e.updated_at end as changed
      from epics e join namespaces g on g.id = e.group_id left join epics p on p.id = e.parent_id
      where g.full_path ~ $1 order by g.path = any('{plan,moved}') desc, e.iid`;
    const [there, here] = [await api.sql<object>(tree, ['^plan']), await api.sql<object>(tree, ['^moved'])];
    const plain = (rows: object[]): object[] =>
      rows.map((row) => ({ ...row, path: (row as { path: string }).path.replace('moved', 'plan') }));
    expect(plain(here)).toEqual(there);
    expect(there).toMatchObject([
      { title: 'Leaf', parent: 'Branch' },
      { title: 'Trunk', parent: null },
      { title: 'Branch', parent: 'Trunk' },
      { title: 'Other branch', parent: 'Trunk' },
      { title: 'Twig', parent: 'Branch' },
    ]);
    expect(await api.sql('select 1 from imported_epic_parents')).toEqual([]);
    const children = await mover.client.get<Shown[]>('/groups/moved/epics/2/epics');
    expect(children.body.map(({ title }) => title)).toEqual(['Other branch', 'Branch']);
  });

  it('include mentions, for those who can read what mentions', async () => {
    const guest = await createUser(api);
    await buildMember(api, 'projects/moved%2Fsub%2Fb', guest.id, 10);
    const all = ['issue #2', 'issue #3', 'merge request !1'].map((source) => `mentioned in ${source}`);
    expect(await notesOf('moved/sub/b', mover.client)).toEqual(expect.arrayContaining(all));
    const seen = await notesOf('moved/sub/b', guest.client);
    expect(seen.filter((note) => all.includes(note))).toEqual(['mentioned in issue #2']);
    const related = await mover.client.get<Shown[]>(
      '/projects/moved%2Fsub%2Fb/issues/1/related_merge_requests',
    );
    expect(related.body).toMatchObject([{ iid: 1, title: 'Names it' }]);
  });

  it('reveal no issues and epics that the exporting user could not export', async () => {
    const limited = await createUser(api);
    await buildMember(api, `projects/${projects.a}`, limited.id, 40);
    const told = async (reader: number): Promise<number[]> =>
      (await exportRecords(api, 'project', 'issues', projects.a, reader)).map(
        ({ issue_links: links }) => (links as object[]).length,
      );
    expect(await told(1)).toEqual([4, 2, 1]);
    expect(await told(limited.id)).toEqual([2, 1, 1]);
  });

  it('are imported once if both ends arrive at the same moment', async () => {
    const there = await Promise.all([1, 2].map(async () => (await buildProject(mover.client)).id));
    const issues = await Promise.all(there.map((id) => buildIssue(mover.client, id)));
    const [{ id: importId }] = (await api.sql<{ id: number }>(
      `insert into bulk_imports (user_id, source_url, source_version) values ($1, 'https://x.example', '16') returning id`,
      [mover.id],
    )) as [{ id: number }];
    const sides = await Promise.all(
      there.map(async (projectId, at) => {
        const [entity] = (await api.sql<{ id: number }>(
          `insert into bulk_import_entities (bulk_import_id, source_type, source_full_path, destination_slug, destination_namespace, source_id, project_id)
           values ($1, 'project_entity', $2, 'x', 'y', $3, $4) returning id`,
          [importId, `p${at}`, 100 + at, projectId],
        )) as [{ id: number }];
        const target = new EntityTarget(
          { ...entity, importId, of: 'project', sourceFullPath: `p${at}`, importerId: mover.id } as never,
          'issues',
          { ownerId: projectId, fullPath: 'p', links: new LinkRewriter('a', 'b') },
          new Map(),
          api.app.get(FailureRows, { strict: false }),
        );
        const links = [
          { source_id: 500, target_id: 501, link_type: 'blocks', other_project_id: at === 0 ? 101 : 100 },
        ];
        const record = { id: 500 + at, project_id: 100 + at, issue_links: links };
        const bring = async (tx: Tx): Promise<void> => {
          await tx.query(
            `insert into bulk_import_records (entity_id, relation, source_key, destination_id) values ($1, 'issues', $2, $3)`,
            [entity.id, String(record.id), issues[at]?.id],
          );
          await linkIssues(tx, target, [{ record, id: issues[at]?.id ?? 0 }]);
        };
        return bring;
      }),
    );
    const transactions = api.app.get(Transactions);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let isFirstDone = false;
    const first = transactions.run(async (tx) => {
      await sides[0]?.(tx);
      isFirstDone = true;
      await held;
    });
    await until(() => Promise.resolve(isFirstDone));
    let isSecondDone = false;
    const second = transactions.run(async (tx) => sides[1]?.(tx)).then(() => (isSecondDone = true));
    // It either waits for the first one, or has missed it already.
    const waits = `select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`;
    await until(async () => isSecondDone || (await api.sql(waits)).length > 0);
    release();
    await Promise.all([first, second]);
    const links = `select source_id, target_id, link_type from issue_links where source_id = any($1::bigint[])`;
    expect(await api.sql(links, [issues.map(({ id }) => id)])).toEqual([
      { source_id: issues[0]?.id, target_id: issues[1]?.id, link_type: 'blocks' },
    ]);
  });
});
