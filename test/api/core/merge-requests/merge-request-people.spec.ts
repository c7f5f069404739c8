import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FoldTalliesProcessor } from '#core/issuables/tallies/fold-tallies.processor.js';
import { consistencyChecks } from '../../../../src/cli/doctor/doctor-checks.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { borrowApi } from '../../../support/shared-api.js';

const CHECK = consistencyChecks.find(({ check }) => check.startsWith('tallies of merge requests'))?.sql ?? '';

let api: TestApi;
let group: number;
/**
 * Projects where the person is a developer, where everyone can read, where they are a guest without access to
 * code, and an archived one.
 */
let projects: { own: number; open: number; guest: number; archived: number };
let person: CreatedUser;
let other: CreatedUser;

/** A link of a person to the merge request `m` of the project `p`, and that it is shown. */
const LINKS = {
  author: 'm.author_id = $1',
  assignee:
    'exists (select 1 from merge_request_assignees x where x.merge_request_id = m.id and x.user_id = $1)',
  reviewer:
    'exists (select 1 from merge_request_reviewers x where x.merge_request_id = m.id and x.user_id = $1)',
} as const;

beforeAll(async () => {
  api = await borrowApi();
  group = (await buildGroup(api, { visibility: 'public' })).id;
  [person, other] = await Promise.all([createUser(api), createUser(api)]);
  const project = async (visibility: string, level: number): Promise<number> => {
    const { id } = await buildProject(api.root, { namespace_id: group, visibility: 'private' });
    if (level > 0)
      await api.root.post(`/projects/${id}/members`, { user_id: person.id, access_level: level });
    await api.sql('update projects set visibility = $2 where id = $1', [id, visibility]);
    return id;
  };
  projects = {
    own: await project('private', 30),
    open: await project('public', 0),
    guest: await project('private', 10),
    archived: await project('private', 30),
  };
  await api.root.post(`/groups/${group}/labels`, { name: 'shared', color: '#ff0000' });
  await api.root.post(`/groups/${group}/milestones`, { title: 'next' });
  let serial = 0;
  for (const [name, id] of Object.entries(projects))
    for (let count = 0; count < 12; count += 1) {
      serial += 1;
      const state = (['opened', 'merged', 'closed'] as const)[count % 3] ?? 'opened';
      const row = await buildMergeRequestRow(api, id, {
        sourceBranch: `${name}-${count}`,
        authorId: count % 2 === 0 ? person.id : other.id,
        state,
        ...(state === 'opened' ? {} : { closedAt: new Date() }),
      });
      // Times that do not follow the ids, some of them equal.
      await api.sql(
        `update merge_requests set created_at = '2026-01-01'::timestamptz + ($2 || ' hours')::interval where id = $1`,
        [row.id, (serial * 7) % 10],
      );
      const link = (table: string, user: CreatedUser): Promise<unknown> =>
        api.sql(`insert into merge_request_${table} (merge_request_id, user_id) values ($1, $2)`, [
          row.id,
          user.id,
        ]);
      if (count % 3 !== 1) await link('assignees', person);
      if (count % 4 !== 2) await link('reviewers', person);
      if (count % 4 === 2) await link('reviewers', other);
      if (count % 5 !== 0)
        await api.sql(
          `insert into merge_request_labels (merge_request_id, label_id) select $1, id from labels`,
          [row.id],
        );
      if (count % 5 === 0)
        await api.sql(`update merge_requests set milestone_id = (select id from milestones) where id = $1`, [
          row.id,
        ]);
    }
  await api.root.post(`/projects/${projects.archived}/archive`);
});
afterAll(() => api.close());

/** What the user can see in a project, by plain conditions. */
const truth = async (
  condition: string,
  place: string,
  values: readonly unknown[] = [],
): Promise<number[]> => {
  const seen = `(p.visibility = 'public' or p.id = ${projects.own} or p.id = ${projects.archived})`;
  const rows = await api.sql<{ id: number }>(
    `select m.id from merge_requests m join projects p on p.id = m.project_id where ${seen} and ${place} and ${condition}
     order by m.created_at desc, m.id desc`,
    values,
  );
  return rows.map(({ id }) => id);
};

async function expectList(path: string, expected: readonly number[]): Promise<void> {
  const all = await person.client.get<{ id: number }[]>(`${path}&per_page=100`);
  expect([path, all.body.map(({ id }) => id)]).toEqual([path, expected]);
  const one = await person.client.get<{ id: number }[]>(`${path}&per_page=1`);
  expect([path, one.headers.get('x-total')]).toEqual([path, String(expected.length)]);
  const second = await person.client.get<{ id: number }[]>(`${path}&per_page=2&page=2&sort=asc`);
  expect(second.body.length).toBe(Math.max(0, Math.min(2, expected.length - 2)));
}

const LIVE = 'not p.archived';

describe('the merge requests of a user', () => {
  it.each([
    ['scope=created_by_me', 'author', LIVE],
    ['scope=assigned_to_me', 'assignee', LIVE],
    ['scope=reviews-for-me', 'reviewer', LIVE],
    ['', 'author', LIVE],
    ['scope=created_by_me&non_archived=false', 'author', 'true'],
    ['scope=assigned-to-me&state=opened', 'assignee', `${LIVE} and m.state = 'opened'`],
    ['scope=reviews_for_me&state=all&source_branch=own-1', 'reviewer', `m.source_branch = 'own-1'`],
  ] as const)('are listed everywhere and counted: %s', async (query, link, place) => {
    await expectList(`/merge_requests?${query}`, await truth(LINKS[link], place, [person.id]));
  });

  it.each(['author', 'assignee', 'reviewer'] as const)('are listed by the id of the %s', async (link) => {
    for (const user of [person, other]) {
      const of = (place: string): Promise<number[]> => truth(LINKS[link], place, [user.id]);
      await expectList(`/merge_requests?scope=all&${link}_id=${user.id}`, await of(LIVE));
      await expectList(`/groups/${group}/merge_requests?${link}_id=${user.id}`, await of(LIVE));
      await expectList(
        `/projects/${projects.own}/merge_requests?${link}_id=${user.id}`,
        await of(`p.id = ${projects.own}`),
      );
      for (const state of ['opened', 'merged'])
        await expectList(
          `/projects/${projects.own}/merge_requests?${link}_id=${user.id}&state=${state}`,
          await of(`p.id = ${projects.own} and m.state = '${state}'`),
        );
      await expectList(
        `/merge_requests?scope=all&${link}_id=${user.id}&state=opened`,
        await of(`${LIVE} and m.state = 'opened'`),
      );
    }
  });

  it('are counted by label and milestone too, while they change', async () => {
    const hasLabel = 'exists (select 1 from merge_request_labels x where x.merge_request_id = m.id)';
    for (const [place, path] of [
      [`p.id = ${projects.own}`, `/projects/${projects.own}/merge_requests`],
      [LIVE, `/groups/${group}/merge_requests`],
    ] as const) {
      await expectList(`${path}?labels=shared`, await truth(hasLabel, place));
      await expectList(
        `${path}?labels=shared&state=opened`,
        await truth(`${hasLabel} and m.state = 'opened'`, place),
      );
      await expectList(`${path}?milestone=next`, await truth('m.milestone_id is not null', place));
      await expectList(
        `${path}?labels=shared&author_id=${person.id}`,
        await truth(`${hasLabel} and m.author_id = $1`, place, [person.id]),
      );
    }
    await api.root.put(`/projects/${projects.own}/merge_requests/1`, {
      labels: '',
      assignee_ids: [other.id],
      milestone_id: 0,
    });
    await api.root.put(`/projects/${projects.own}/merge_requests/4`, {
      add_labels: 'shared',
      reviewer_ids: [person.id, 1],
    });
    expect((await api.root.delete(`/projects/${projects.own}/merge_requests/5`)).status).toBe(204);
    const run = { signal: new AbortController().signal } as never;
    for (const fold of [false, true, true]) {
      if (fold) await api.app.get(FoldTalliesProcessor, { strict: false }).process({}, run);
      await expectList(
        `/projects/${projects.own}/merge_requests?labels=shared`,
        await truth(hasLabel, `p.id = ${projects.own}`),
      );
      for (const link of ['author', 'assignee', 'reviewer'] as const)
        await expectList(
          `/merge_requests?scope=all&${link}_id=${person.id}`,
          await truth(LINKS[link], LIVE, [person.id]),
        );
      expect(await api.sql(CHECK)).toEqual([]);
    }
  });

  it('have the right total if a filter has the value all', async () => {
    await api.root.post(`/projects/${projects.own}/milestones`, { title: 'all' });
    for (const issuables of ['issues', 'merge_requests'])
      for (const filter of ['milestone=all', 'search=all', 'author_username=all', 'labels=all']) {
        const { headers } = await person.client.get(`/projects/${projects.own}/${issuables}?${filter}`);
        expect([issuables, filter, headers.get('x-total')]).toEqual([issuables, filter, '0']);
      }
  });
});
