import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Transactions } from '#kernel/database/transactions.js';
import type { TestApi } from '../../../support/api.js';
import { buildEpicWorld, type BuiltEpic, type EpicWorld } from '../../../support/builders/epic-world.js';
import { buildIssue, insertIssues } from '../../../support/builders/issue.js';
import { buildProject } from '../../../support/builders/project.js';
import type { Answer } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { untilBlocking } from '../../../support/lock-waits.js';
import { runs } from '../../../support/runs.js';

interface Listed {
  readonly id: number;
  readonly epic_issue_id: number;
  readonly relative_position: number;
  readonly subscribed?: boolean;
}
interface Link {
  readonly id: number;
  readonly epic: { readonly iid: number };
  readonly issue: { readonly id: number };
}

describe('epic issues', () => {
  let api: TestApi;
  let world: EpicWorld;
  const newEpic = async (values: object = {}): Promise<string> => {
    const { body } = await world.reporter.post<BuiltEpic>(`/groups/${world.group.id}/epics`, {
      title: 'Epic',
      ...values,
    });
    return `/groups/${world.group.id}/epics/${body.iid}/issues`;
  };
  const link = async (path: string, issueId: number): Promise<number> =>
    (await world.reporter.post<Link>(`${path}/${issueId}`)).body.id;
  const order = async (path: string): Promise<number[]> =>
    (await world.reporter.get<Listed[]>(`${path}?per_page=100`)).body.map((issue) => issue.epic_issue_id);
  const fill = async (path: string, count: number): Promise<number[]> => {
    const links: number[] = [];
    for (const id of await insertIssues(api, world.projectId, count)) links.unshift(await link(path, id));
    return links;
  };

  beforeAll(async () => {
    api = await borrowApi();
    world = await buildEpicWorld(api);
  });
  afterAll(() => api.close());

  it('are added first, listed, moved to another epic with the same association, and removed', async () => {
    const { guest, projectId } = world;
    const [first, second] = [await newEpic(), await newEpic()];
    const issue = await buildIssue(world.reporter, projectId);
    const made = await guest.post<Link>(`${first}/${issue.id}`);
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      relative_position: 0,
      epic: { title: 'Epic', start_date: null },
      issue: { id: issue.id },
    });
    expect((await guest.post(`${first}/${issue.id}`)).body).toEqual({ message: 'Issue(s) already assigned' });
    const other = await link(first, (await buildIssue(world.reporter, projectId)).id);
    expect(await order(first)).toEqual([other, made.body.id]);
    const page = await guest.get<Listed[]>(`${first}?per_page=1`);
    expect(page.headers.get('x-total')).toBe('2');
    expect(page.body[0]).not.toHaveProperty('subscribed');

    const moved = await guest.post<Link>(`${second}/${issue.id}`);
    expect(moved.body.id).toBe(made.body.id);
    expect(await order(first)).toEqual([other]);
    expect((await guest.delete(`${first}/${made.body.id}`)).body).toEqual({
      message: '404 Epic Issue Not Found',
    });
    const gone = await guest.delete<Link>(`${second}/${made.body.id}`);
    expect([gone.status, gone.body.id]).toEqual([200, made.body.id]);
    expect(await order(second)).toEqual([]);
  });

  it('are walked by the ids of their associations, with a total above the counted maximum', async () => {
    const path = await newEpic();
    const links = await fill(path, 3);
    const first = await world.reporter.get<Listed[]>(
      `${path}?pagination=keyset&order_by=id&sort=desc&per_page=2`,
    );
    expect(first.body.map((issue) => issue.epic_issue_id)).toEqual(links.slice(0, 2));
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    const rest = await world.reporter.get<Listed[]>(next.replace(/^.*\/api\/v4/, ''));
    expect(rest.body.map((issue) => issue.epic_issue_id)).toEqual(links.slice(2));
    await api.sql(
      `insert into epic_issues (epic_id, issue_id, relative_position)
       select x.epic_id, i, i from epic_issues x, unnest($2::bigint[]) i where x.id = $1`,
      [links[0], await insertIssues(api, world.projectId, 250)],
    );
    for (const page of [1, 90, 130]) {
      const { headers } = await world.reporter.get(`${path}?per_page=2&page=${page}`);
      expect(headers.get('x-total')).toBe('253');
    }
  });

  it('require rights in their project, and in the group of the epic', async () => {
    const { guest, stranger, reporter, projectId } = world;
    const path = await newEpic();
    const secret = await newEpic({ confidential: true });
    const issue = await buildIssue(reporter, projectId);
    const hidden = await buildIssue(reporter, projectId, { confidential: true });
    expect((await api.anonymous.get(path)).status).toBe(401);
    expect((await stranger.get(path)).body).toEqual({ message: '404 Group Not Found' });
    expect((await guest.post(`${path}/999999`)).body).toEqual({ message: '404 Issue Not Found' });
    expect((await guest.post(`${path}/${hidden.id}`)).status).toBe(403);
    expect((await guest.post(`${secret}/${issue.id}`)).status).toBe(403);
    expect((await guest.get(secret)).body).toEqual({ message: '404 Epic Not Found' });
    const refused = await reporter.post(`${secret}/${issue.id}`);
    expect([refused.status, refused.body]).toEqual([
      422,
      { message: expect.stringMatching(/#\d+ cannot be added: /) as unknown },
    ]);
    expect((await reporter.post(`${secret}/${hidden.id}`)).status).toBe(201);
    const hiddenLink = await link(path, hidden.id);
    expect(await order(path)).toEqual([hiddenLink]);
    expect((await guest.get(path)).body).toEqual([]);
    expect((await guest.put(`${path}/${hiddenLink}`, {})).status).toBe(403);

    const open = await buildProject(api.root, { visibility: 'public' });
    const outside = await buildIssue(api.root, open.id);
    expect((await guest.post(`${path}/${outside.id}`)).body).toEqual({
      message: "Couldn't link issue. You must have at least the Guest role in both projects.",
    });
    expect((await api.root.post(`${path}/${outside.id}`)).body).toEqual({
      message: 'No matching issue found. Make sure that you are adding a valid issue URL.',
    });
    const task = await buildIssue(reporter, projectId, { issue_type: 'task' });
    expect((await reporter.post(`${path}/${task.id}`)).status).toBe(404);
    await api.root.put('/application/settings', { license_plan: 'free' });
    expect((await reporter.get(path)).status).toBe(403);
    await api.root.put('/application/settings', { license_plan: 'ultimate' });
  });

  it('cannot be changed while their project is archived', async () => {
    const { group, reporter } = world;
    const path = await newEpic();
    const { id: projectId } = await buildProject(api.root, { namespace_id: group.id });
    const [inside, outside] = [await buildIssue(reporter, projectId), await buildIssue(reporter, projectId)];
    const linked = await link(path, inside.id);
    await api.root.post(`/projects/${projectId}/archive`);
    const refused = { message: '403 Forbidden' };
    expect((await reporter.post(`${path}/${outside.id}`)).body).toEqual(refused);
    expect((await reporter.delete(`${path}/${linked}`)).body).toEqual(refused);
    expect((await api.root.put(`${path}/${linked}`, {})).body).toEqual(refused);
    expect(await order(path)).toEqual([linked]);
    await api.root.post(`/projects/${projectId}/unarchive`);
    expect((await reporter.delete(`${path}/${linked}`)).status).toBe(200);
  });

  it('are found by their epic if the caller can see it, with references relative to their group', async () => {
    const { guest, reporter, projectId, group } = world;
    const issue = await buildIssue(reporter, projectId, { confidential: true, assignee_id: 1 });
    const open = await buildIssue(reporter, projectId);
    const path = await newEpic();
    const secret = await newEpic({ confidential: true });
    await link(path, open.id);
    await link(secret, issue.id);
    const { body } = await reporter.get<{ epic: { id: number } }[]>(secret);
    const [of, hidden] = [await reporter.get<{ epic: { id: number } }[]>(path), body[0]?.epic.id ?? 0];
    const found = async (query: string, client = reporter): Promise<number[]> =>
      (await client.get<{ id: number }[]>(`/projects/${projectId}/issues?${query}`)).body.map(({ id }) => id);
    expect(await found(`epic_id=${of.body[0]?.epic.id ?? 0}`, guest)).toEqual([open.id]);
    expect(await found(`epic_id=${hidden}`)).toEqual([issue.id]);
    expect(await found(`epic_id=${hidden}`, guest)).toEqual([]);
    expect(await found('epic_id=None')).not.toContain(issue.id);
    expect(await found('epic_id=any')).toEqual(expect.arrayContaining([issue.id, open.id]));
    const listed = await reporter.get<{ references: object; project_id: number }[]>(
      `/groups/${group.id}/issues?epic_id=${hidden}`,
    );
    const full = `${group.full_path}/`;
    expect(listed.body[0]?.references).toMatchObject({
      full: expect.stringContaining(full) as unknown,
      relative: expect.not.stringContaining('/') as unknown,
    });
  });

  it('are ordered manually: before, after, between, and unchanged', async () => {
    const path = await newEpic();
    const [a, b, c, d] = (await fill(path, 4)) as [number, number, number, number];
    const move = (id: number, body: object): Promise<{ status: number; body: Listed[] }> =>
      world.guest.put<Listed[]>(`${path}/${id}`, body);
    const moved = await move(d, { move_after_id: b });
    expect([moved.status, moved.body.map((row) => row.epic_issue_id)]).toEqual([200, [a, d, b, c]]);
    expect(moved.body.every((row) => typeof row.subscribed === 'boolean')).toBe(true);
    expect((await move(a, { move_before_id: b })).body.map((row) => row.epic_issue_id)).toEqual([d, b, a, c]);
    await move(c, { move_before_id: d, move_after_id: b });
    expect(await order(path)).toEqual([d, c, b, a]);
    await move(a, {});
    await move(a, { move_before_id: a });
    expect(await order(path)).toEqual([d, c, b, a]);
    expect((await world.guest.put(`${path}/${a}`, { move_after_id: 999_999 })).body).toEqual({
      message: '404 Epic Issue Not Found',
    });
    const foreign = await newEpic();
    const [elsewhere] = await fill(foreign, 1);
    expect((await world.guest.put(`${path}/${a}`, { move_after_id: elsewhere })).status).toBe(404);
    expect((await world.guest.put(`${path}/${elsewhere ?? 0}`, { move_after_id: a })).status).toBe(404);
  });

  it('keep a single order through any moves, however little space is left (property)', async () => {
    const path = await newEpic();
    const links = await fill(path, 5);
    const place = fc.option(fc.nat(4), { nil: null });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(4), place, place), { maxLength: 12 }),
        fc.boolean(),
        async (moves, isTight) => {
          if (isTight)
            await api.sql('update epic_issues set relative_position = id - $2 where id = any($1)', [
              links,
              links[0],
            ]);
          let last = await order(path);
          for (const [moved, before, after] of moves) {
            const [id, beforeId, afterId] = [moved, before, after].map((index) =>
              index === null ? null : (links[index] ?? null),
            );
            const body = { move_before_id: beforeId, move_after_id: afterId };
            const answer = await world.reporter.put<Listed[]>(`${path}/${id ?? 0}`, body);
            const now = answer.body.map((row) => row.epic_issue_id);
            assertMoved(last, now, id ?? 0, beforeId ?? null, afterId ?? null);
            last = now;
            expect(new Set(answer.body.map((row) => row.relative_position)).size).toBe(5);
          }
        },
      ),
      { numRuns: runs(12) },
    );
  });

  it('keep an order with many simultaneous moves and links', async () => {
    const path = await newEpic();
    const links = await fill(path, 6);
    const issues = await insertIssues(api, world.projectId, 10);
    const moves = Array.from({ length: 40 }, (_, index) =>
      world.reporter.put(`${path}/${links[index % 6] ?? 0}`, { move_after_id: links[(index * 7 + 1) % 6] }),
    );
    const answers = await Promise.all([
      ...moves,
      ...issues.map((id) => world.reporter.post(`${path}/${id}`)),
    ]);
    expect(answers.filter(({ status }) => status >= 300)).toEqual([]);
    const { body } = await world.reporter.get<Listed[]>(`${path}?per_page=100`);
    expect(body).toHaveLength(16);
    expect(new Set(body.map((row) => row.relative_position)).size).toBe(16);
  });

  it('are removed from an epic that is deleted meanwhile, but from no other', async () => {
    const [going, staying] = [await newEpic(), await newEpic()];
    const { id } = await buildIssue(world.reporter, world.projectId);
    await link(going, id);
    const GOES =
      'delete from epics e using epic_issues x where x.issue_id = $1 and e.id = x.epic_id returning e.id';
    let moved: Promise<Answer> | undefined;
    const [gone] = await api.app.get(Transactions).run(async (tx) => {
      const [rows] = await tx.query<[{ id: number }[], number]>(GOES, [id]);
      moved = world.reporter.post(`${staying}/${id}`);
      await untilBlocking(api, tx);
      return rows;
    });
    expect((await moved)?.status).toBe(201);
    expect((await world.reporter.get<Listed[]>(staying)).body.map((issue) => issue.id)).toEqual([id]);
    const left = `select 1 from notes where noteable_type = 'Epic' and noteable_id = $1`;
    expect(await api.sql(left, [gone?.id])).toEqual([]);
  });
});

/** The order of a list after a move, by `planning.md` 3.3. */
function assertMoved(
  before: number[],
  after: number[],
  id: number,
  beforeId: number | null,
  afterId: number | null,
): void {
  expect(after.filter((one) => one !== id)).toEqual(before.filter((one) => one !== id));
  const at = (one: number): number => after.indexOf(one);
  const others = [...new Set([beforeId, afterId])].filter((one): one is number => one !== null && one !== id);
  const [low, high] = others.sort((one, other) => at(one) - at(other));
  if (low === undefined) expect(after).toEqual(before);
  else if (high !== undefined) expect(at(low) < at(id) && at(id) < at(high)).toBe(true);
  else expect(at(id)).toBe(at(low) + (low === beforeId ? 1 : -1));
}
