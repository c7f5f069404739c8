import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue, type BuiltIssue } from '../../../support/builders/issue.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildMergeRequestRow } from '../../../support/builders/merge-request-row.js';
import { buildProject } from '../../../support/builders/project.js';
import { createUser } from '../../../support/builders/user.js';
import type { ApiClient } from '../../../support/client.js';
import { borrowApi } from '../../../support/shared-api.js';
import { readsDuring } from '../../../support/watched-reads.js';

/** Counters of an issue or a merge request. */
interface Shown {
  readonly id: number;
  readonly user_notes_count: number;
  readonly merge_requests_count?: number;
}

type Reader = 'anonymous' | 'stranger' | 'guest' | 'reporter' | 'above' | 'root';

const INSIDE: readonly Reader[] = ['reporter', 'above', 'root'];
const OUTSIDE: readonly Reader[] = ['anonymous', 'stranger', 'guest'];

describe('counters of an issue and a merge request', () => {
  let api: TestApi;
  let issue: BuiltIssue;
  let merging: { readonly id: number; readonly iid: number };
  let secret: number;
  let readers: Readonly<Record<Reader, ApiClient>>;
  let issuePaths: string[];
  let signedInPaths: string[];
  let mergePaths: string[];

  beforeAll(async () => {
    api = await borrowApi();
    const { root } = api;
    const group = await buildGroup(api, { visibility: 'public' });
    const { id } = await buildProject(root, { namespace_id: group.id, visibility: 'public' });
    secret = (await buildProject(root)).id;
    await api.sql(`update projects set default_branch = 'main' where id = any($1)`, [[id, secret]]);
    const place = `projects/${id}`;
    const member = async (at: string, role: number): Promise<ApiClient> => {
      const user = await createUser(api);
      await buildMember(api, at, user.id, role);
      return user.client;
    };
    readers = {
      anonymous: api.anonymous,
      stranger: (await createUser(api)).client,
      guest: await member(place, 10),
      reporter: await member(place, 20),
      above: await member(`groups/${group.id}`, 20),
      root,
    };
    const { body: milestone } = await root.post<{ id: number }>(`/${place}/milestones`, { title: 'one' });
    issue = await buildIssue(root, id, { labels: 'seen', milestone_id: milestone.id });
    const other = await buildIssue(root, id);
    await root.post(`/${place}/issues/${other.iid}/links`, {
      target_project_id: id,
      target_issue_iid: issue.iid,
    });
    const { body: epic } = await root.post<{ iid: number }>(`/groups/${group.id}/epics`, { title: 'Epic' });
    await root.post(`/groups/${group.id}/epics/${epic.iid}/issues/${issue.id}`);
    merging = await buildMergeRequestRow(api, id, { sourceBranch: 'one', milestoneId: milestone.id });
    await root.put(`/${place}/merge_requests/${merging.iid}`, { labels: 'seen' });
    const hidden = await buildMergeRequestRow(api, secret, { sourceBranch: 'one' });
    await api.sql(
      'insert into merge_requests_closing_issues (merge_request_id, issue_id, by_text, by_commits) select m, $2, true, false from unnest($1::bigint[]) m',
      [[merging.id, hidden.id], issue.id],
    );
    const own = `/${place}/issues/${issue.iid}`;
    const merge = `/${place}/merge_requests/${merging.iid}`;
    for (const path of [own, merge])
      for (const internal of [true, true, false])
        await root.post(`${path}/notes`, { body: 'Well', internal });
    const lists = (kind: string): string[] => [
      `/${place}/${kind}`,
      `/${place}/${kind}?labels=seen&with_labels_details=true`,
      `/${place}/${kind}?milestone=one`,
      `/${place}/${kind}?order_by=id&sort=desc&pagination=keyset`,
      `/groups/${group.id}/${kind}`,
      `/groups/${group.id}/${kind}?labels=seen`,
      `/${kind}?scope=all`,
      `/${kind}?scope=all&author_id=1`,
      `/${kind}?scope=all&milestone=one`,
      `/${place}/milestones/${milestone.id}/${kind}`,
    ];
    issuePaths = [own, ...lists('issues'), `${merge}/closes_issues`];
    signedInPaths = ['', '?pagination=keyset&order_by=id&sort=asc']
      .map((query) => `/groups/${group.id}/epics/${epic.iid}/issues${query}`)
      .concat(`/${place}/issues/${other.iid}/links`);
    mergePaths = [merge, ...lists('merge_requests'), `${own}/closed_by`, `${own}/related_merge_requests`];
  });
  afterAll(() => api.close());

  /** The distinct values that a reader gets from all paths. */
  async function shown(
    client: ApiClient,
    paths: readonly string[],
    id: number,
    field: 'user_notes_count' | 'merge_requests_count',
  ): Promise<unknown[]> {
    const found = new Set<unknown>();
    for (const path of paths) {
      const { status, body } = await client.get<Shown | Shown[]>(path);
      const one = [body].flat().find((shape) => shape.id === id);
      found.add(one ? one[field] : `${path}: ${status}`);
    }
    return [...found];
  }

  it('include internal notes of an issue for callers who may read them, in every list', async () => {
    for (const name of INSIDE)
      expect([
        name,
        ...(await shown(readers[name], [...issuePaths, ...signedInPaths], issue.id, 'user_notes_count')),
      ]).toEqual([name, 3]);
    for (const name of OUTSIDE) {
      const paths = name === 'anonymous' ? issuePaths : [...issuePaths, ...signedInPaths];
      expect([name, ...(await shown(readers[name], paths, issue.id, 'user_notes_count'))]).toEqual([name, 1]);
    }
  });

  it('include internal notes of a merge request for callers who may read them, in every list', async () => {
    for (const name of [...INSIDE, ...OUTSIDE])
      expect([name, ...(await shown(readers[name], mergePaths, merging.id, 'user_notes_count'))]).toEqual([
        name,
        INSIDE.includes(name) ? 3 : 1,
      ]);
  });

  it('count the merge requests of an issue that its reader may read, in any project', async () => {
    const insider = async (role: number): Promise<ApiClient> => {
      const user = await createUser(api);
      await buildMember(api, `projects/${secret}`, user.id, role);
      return user.client;
    };
    const [own] = issuePaths;
    const people: [ApiClient, number][] = [
      [api.root, 2],
      [await insider(20), 2],
      [await insider(10), 1],
      [readers.reporter, 1],
      [readers.guest, 1],
      [api.anonymous, 1],
    ];
    for (const [client, count] of people) {
      const paths = client === api.anonymous ? issuePaths : [...issuePaths, ...signedInPaths];
      expect(await shown(client, paths, issue.id, 'merge_requests_count')).toEqual([count]);
      expect((await client.get<unknown[]>(`${own}/closed_by`)).body).toHaveLength(count);
    }
  });

  it('are read by lists without an additional statement', async () => {
    for (const path of [...issuePaths.slice(1, 10), ...mergePaths.slice(1, 10)]) {
      const reads = await readsDuring(api, () => readers.guest.get(path));
      const of = path.includes('merge_requests') ? 'merge_requests m' : 'issues i';
      expect([path, reads.filter(({ text }) => text.includes(of)).length]).toEqual([path, 1]);
    }
  });
});
