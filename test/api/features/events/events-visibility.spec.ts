import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Role } from '#kernel/access/roles.js';
import type { EventRecord } from '#features/events/event.record.js';
import { kindOf, type Subject } from '#features/events/event-kinds.js';
import type { TestApi } from '../../../support/api.js';
import type { ApiClient } from '../../../support/client.js';
import { createUser } from '../../../support/builders/user.js';
import { insertIssue, insertNote } from '../../../support/builders/event.js';
import { buildProject } from '../../../support/builders/project.js';
import {
  EVENTS,
  FEATURES,
  maySee,
  OPEN_WORLD,
  WORLD,
  type Viewer,
  type World,
} from '../../../support/event-visibility.js';
import { borrowApi } from '../../../support/shared-api.js';
import { runs } from '../../../support/runs.js';

describe('the visibility of activity events', () => {
  let api: TestApi;
  let viewers: Viewer[];
  let author: { id: number; client: ApiClient };
  let projectId: number;
  let issueId: number;
  let mergeRequestId: number;
  let snippetId: number;

  beforeAll(async () => {
    api = await borrowApi();
    author = await createUser(api);
    const first = await createUser(api);
    const second = await createUser(api, { external: true });
    viewers = [
      { name: 'first', client: first.client, id: first.id },
      { name: 'second', client: second.client, id: second.id, external: true },
      { name: 'admin', client: api.root, id: 1, admin: true },
      { name: 'nobody', client: api.anonymous, id: null },
    ];
    projectId = (await buildProject(api.root)).id;
    issueId = (await insertIssue(api, projectId, null)).id;
    const [request] = await api.sql<{ id: number }>(
      `insert into merge_requests (project_id, iid, title, source_project_id, source_branch, target_branch)
       values ($1, 1, 'Secret', $1, 'a', 'main') returning id`,
      [projectId],
    );
    mergeRequestId = request?.id ?? 0;
    const [snippet] = await api.sql<{ id: number }>(
      `insert into snippets (project_id, author_id, title, visibility) values ($1, $2, 'Secret', 'private') returning id`,
      [projectId, author.id],
    );
    snippetId = snippet?.id ?? 0;
    await api.sql('delete from events', []);
    const on: Partial<Record<Subject, { type: string; id: number | string }>> = {
      issueNote: { type: 'Issue', id: issueId },
      mergeRequestNote: { type: 'MergeRequest', id: mergeRequestId },
      snippetNote: { type: 'Snippet', id: snippetId },
      commitNote: { type: 'Commit', id: 'c'.repeat(40) },
    };
    const targets: Partial<Record<Subject, number>> = { issue: issueId, mergeRequest: mergeRequestId };
    for (const [subject, action] of EVENTS) {
      const noteable = on[subject];
      const target = noteable
        ? await insertNote(api, projectId, author.id, noteable)
        : (targets[subject] ?? null);
      const subjectId = typeof noteable?.id === 'number' ? noteable.id : target;
      const push = { action: 'pushed', ref_type: 'branch', commit_count: 1, commit_from: null };
      const payload = {
        push: { ...push, commit_to: null, ref: 'main', commit_title: null, ref_count: null },
      };
      const page = { format: 'markdown', slug: 'a', title: 'a', version: 'a' };
      await api.sql(
        `insert into events (project_id, author_id, kind, target_id, subject_id, payload) values ($1, $2, $3, $4, $5, $6)`,
        [
          projectId,
          author.id,
          kindOf(subject, action),
          target,
          subjectId,
          subject === 'push' ? payload.push : subject === 'wikiPage' ? page : null,
        ],
      );
    }
  });
  afterAll(() => api.close());

  async function arrange(world: World): Promise<void> {
    const settings = Object.fromEntries(FEATURES.map((name) => [`${name}_access_level`, world.levels[name]]));
    const [first] = viewers;
    await api.sql(`update projects set visibility = $2, settings = settings || $3::jsonb where id = $1`, [
      projectId,
      world.visibility,
      JSON.stringify(settings),
    ]);
    await api.sql('update issues set confidential = $2, author_id = $3 where id = $1', [
      issueId,
      world.confidential,
      world.authored ? first?.id : null,
    ]);
    await api.sql('delete from issue_assignees where issue_id = $1', [issueId]);
    if (world.assigned) await api.sql('insert into issue_assignees values ($1, $2)', [issueId, first?.id]);
    await api.sql('update notes set internal = $2 where project_id = $1', [projectId, world.internal]);
    await api.sql('update snippets set visibility = $2 where id = $1', [snippetId, world.snippet]);
    await api.sql(`delete from members where source_id = $1 and source_type = 'Project'`, [projectId]);
    for (const [index, role] of world.roles.entries())
      if (role !== Role.None)
        await api.sql(
          `insert into members (source_type, source_id, user_id, access_level) values ('Project', $1, $2, $3)`,
          [projectId, viewers[index]?.id, role],
        );
  }

  const seen = async (client: ApiClient, path: string): Promise<string[]> => {
    const { status, body } = await client.get<EventRecord[]>(path);
    if (status === 404) return [];
    expect([path, status]).toEqual([path, 200]);
    return body.map(({ action_name: action, note }) => `${action} ${note?.noteable_type ?? ''}`).sort();
  };

  const NAMES: Readonly<Partial<Record<Subject, string>>> = {
    push: 'pushed to ',
    issue: 'opened ',
    mergeRequest: 'accepted ',
    milestone: 'closed ',
    wikiPage: 'updated ',
    issueNote: 'commented on Issue',
    mergeRequestNote: 'commented on MergeRequest',
    snippetNote: 'commented on Snippet',
    commitNote: 'commented on Commit',
  };

  const isDecided = (who: readonly Viewer[], numRuns: number): Promise<void> =>
    fc.assert(
      fc.asyncProperty(WORLD, async (world) => {
        await arrange(world);
        for (const [index, viewer] of who.entries()) {
          const role = viewer.admin ? Role.Admin : (world.roles[index] ?? Role.None);
          const expected = EVENTS.filter(([subject]) => maySee(world, viewer, role, subject))
            .map(([subject, action]) => NAMES[subject] ?? `${action} `)
            .sort();
          const lists = [`/projects/${projectId}/events?`, `/users/${author.id}/events?`];
          if (role !== Role.None && !viewer.admin) lists.push('/events?scope=all&');
          for (const list of lists)
            for (const order of ['created_at', 'id'])
              expect([
                viewer.name,
                list,
                order,
                await seen(viewer.client, `${list}order_by=${order}`),
              ]).toEqual([viewer.name, list, order, expected]);
          const notes = expected.filter((name) => name.startsWith('commented'));
          expect(await seen(viewer.client, `/users/${author.id}/events?target_type=note`)).toEqual(notes);
          expect(await seen(viewer.client, `/projects/${projectId}/events?target_type=note`)).toEqual(notes);
        }
      }),
      { numRuns },
    );

  it('follows the plain rules, on every list and in every order', async () => {
    await isDecided(viewers, runs(25));
  });

  it('applies to authors as to others', async () => {
    await arrange(OPEN_WORLD);
    const total = await author.client.get('/events?per_page=1');
    const listed = await seen(author.client, '/events?per_page=100');
    expect(listed.length).toBeGreaterThan(0);
    expect(Number(total.headers.get('x-total'))).toBe(listed.length);
  });

  it('is the same behind more hidden events than are read first', async () => {
    const hidden = await buildProject(api.root, { visibility: 'private' });
    await api.sql(
      `insert into events (project_id, author_id, kind, created_at) select $1, $2, $3, now() + i * interval '1 ms' from generate_series(1, 400) i`,
      [hidden.id, author.id, kindOf('project', 'created')],
    );
    await isDecided(
      viewers.filter(({ admin }) => !admin),
      runs(10),
    );
    const path = `/users/${author.id}/events?per_page=1`;
    expect(Number((await api.root.get(path)).headers.get('x-total'))).toBeGreaterThan(400);
    await api.sql('delete from events where project_id = $1', [hidden.id]);
  });

  it('hides the events of users with private profiles', async () => {
    await api.sql(`update projects set visibility = 'public' where id = $1`, [projectId]);
    const path = `/users/${author.id}/events`;
    const hidden = [
      'private_profile = true',
      `state = 'blocked'`,
      `state = 'banned'`,
      `state = 'blocked_pending_approval'`,
      'confirmed_at = null',
    ];
    const [first] = viewers as [Viewer];
    for (const change of hidden) {
      expect(await seen(first.client, path)).not.toEqual([]);
      const former = await api.sql<{ state: string; confirmed_at: Date; private_profile: boolean }>(
        'select state, confirmed_at, private_profile from users where id = $1',
        [author.id],
      );
      await api.sql(`update users set ${change} where id = $1`, [author.id]);
      for (const client of [first.client, api.anonymous])
        expect([change, (await client.get(path)).body]).toEqual([change, []]);
      expect(await seen(api.root, path)).not.toEqual([]);
      if (change.startsWith('private')) expect(await seen(author.client, path)).not.toEqual([]);
      const [
        { state, confirmed_at, private_profile } = { state: '', confirmed_at: null, private_profile: false },
      ] = former;
      await api.sql('update users set state = $2, confirmed_at = $3, private_profile = $4 where id = $1', [
        author.id,
        state,
        confirmed_at,
        private_profile,
      ]);
    }
  });
});
