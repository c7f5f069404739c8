import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { buildMember } from '../../../support/builders/member.js';
import { createUser } from '../../../support/builders/user.js';
import { gitUrl } from '../../../support/git-http.js';
import { mentionsOf, systemNotes } from '../../../support/mentions.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let world: MergeWorld;
beforeAll(async () => {
  api = await borrowApi();
  world = await MergeWorld.build(api, { visibility: 'public' });
});
afterAll(() => api.close());

const issue = async (title: string, client = world.dev): Promise<{ iid: number; path: string }> => {
  const { body } = await client.post<{ iid: number }>(`${world.base}/issues`, { title });
  return { iid: body.iid, path: `${world.base}/issues/${body.iid}` };
};

const stateOf = async (path: string): Promise<unknown> => (await world.dev.get(path)).body['state'];

let files = 0;
const commit = (branch: string, message: string): Promise<string> => {
  files += 1;
  return world.commit(branch, { [`file-${files}.txt`]: String(files) }, message);
};

describe('pushed commits', () => {
  it('write one note on what they mention, on any branch, by the pusher', async () => {
    const named = await issue('named');
    const sha = await commit('topic', `See #${named.iid}\n\nand \`#${named.iid}\` once more`);
    expect(await mentionsOf(api, world.dev, named.path)).toEqual([`mentioned in commit ${sha}`]);
    const [note] = await systemNotes(api, world.dev, named.path);
    expect(note?.author.id).toBe(world.code.developerId);
    await world.dev.post(`${world.base}/repository/branches`, { branch: 'again', ref: 'topic' });
    await world.open('topic', { 'topic-more.txt': '1' });
    expect(await mentionsOf(api, world.dev, named.path)).toEqual([`mentioned in commit ${sha}`]);
  });

  it('are also read from git pushes, and can mention other projects by their path', async () => {
    const named = await issue('by git');
    const other = await MergeWorld.build(api, { visibility: 'private' });
    const { work } = other.code;
    await work.commit({ 'pushed.txt': 'x' }, `For ${world.code.fullPath}#${named.iid}`);
    const sha = await work.git('rev-parse', 'HEAD');
    await work.git('push', gitUrl(api, `/${other.code.fullPath}.git`, ['root', ROOT_TOKEN]), 'main');
    // Both are in one namespace; a user who cannot read the code does not learn of the commit.
    const path = other.code.fullPath.split('/').pop() ?? '';
    expect(await mentionsOf(api, api.root, named.path)).toEqual([`mentioned in commit ${path}@${sha}`]);
    expect(await mentionsOf(api, world.dev, named.path)).toEqual([]);
    await buildMember(api, `projects/${other.code.id}`, world.code.developerId, 10);
    expect(await mentionsOf(api, world.dev, named.path)).toEqual([]);
    await api.root.put(`/projects/${other.code.id}/members/${world.code.developerId}`, { access_level: 20 });
    expect(await mentionsOf(api, world.dev, named.path)).toHaveLength(1);
  });

  it('write a note on a merge request that does not contain them', async () => {
    const opened = await world.open('first-of-two');
    const sha = await commit('second-of-two', `Needs !${opened.iid}`);
    await commit('first-of-two', `Part of !${opened.iid}`);
    const path = `${world.base}/merge_requests/${opened.iid}`;
    expect(await mentionsOf(api, world.dev, path)).toEqual([`mentioned in commit ${sha}`]);
    const { body } = await world.merge(opened.iid);
    expect(body.state).toBe('merged');
    expect((await mentionsOf(api, world.dev, path)).slice(1)).toEqual([
      `mentioned in commit ${body.merge_commit_sha ?? ''}`,
    ]);
  });

  it('write a note where their comments mention something', async () => {
    const named = await issue('commented');
    const sha = world.code.commits[0] ?? '';
    const comments = `${world.base}/repository/commits/${sha}/comments`;
    expect((await world.dev.post(comments, { note: `Is this #${named.iid}?` })).status).toBe(201);
    expect(await mentionsOf(api, world.dev, named.path)).toEqual([`mentioned in commit ${sha}`]);
  });
});

const ids = async (path: string): Promise<number[]> =>
  (await world.dev.get<{ iid: number }[]>(path)).body.map(({ iid }) => iid);

describe('a merge request', () => {
  it('also closes issues mentioned by its commits, as long as it contains them', async () => {
    const [both, text, commits] = [await issue('both'), await issue('text'), await issue('commits')];
    await commit('namer', `Closes #${both.iid}\n\nFixes #${commits.iid}, see #${text.iid}`);
    const description = `Closes #${both.iid} and #${text.iid}`;
    const opened = await world.open('namer', { 'namer.txt': '1' }, { description });
    const path = `${world.base}/merge_requests/${opened.iid}`;
    const closes = async (): Promise<number[]> => (await ids(`${path}/closes_issues`)).sort((a, b) => a - b);
    expect(await closes()).toEqual([both.iid, text.iid, commits.iid]);
    expect(await ids(`${commits.path}/closed_by`)).toEqual([opened.iid]);
    expect((await world.dev.get(commits.path)).body['merge_requests_count']).toBe(1);
    await world.dev.put(path, { description: 'Nothing' });
    expect(await closes()).toEqual([both.iid, commits.iid]);
    await world.dev.put(path, { description });
    // The branch is reset to a commit that mentions nothing.
    await world.dev.delete(`${world.base}/repository/branches/namer`);
    await until(async () => (await world.find(opened.iid)).state === 'closed');
    await commit('namer', 'Nothing');
    expect((await world.dev.put(path, { state_event: 'reopen' })).status).toBe(200);
    await until(async () => (await closes()).length === 2);
    expect(await closes()).toEqual([both.iid, text.iid]);
    await world.dev.put(path, { description: 'Nothing' });
    expect(await closes()).toEqual([]);
  });
});

describe('commits on the default branch', () => {
  it('close the issues that they mention once, with a note and an event', async () => {
    const [first, second, third] = [await issue('one'), await issue('two'), await issue('three')];
    const message = `Closes #${first.iid}, fixes #${second.iid}\n\nsee #${third.iid}`;
    const away = await commit('elsewhere', message);
    expect([await stateOf(first.path), await mentionsOf(api, world.dev, first.path)]).toEqual([
      'opened',
      [`mentioned in commit ${away}`],
    ]);
    const sha = await commit('main', message);
    expect(await mentionsOf(api, world.dev, third.path)).toEqual(
      [away, sha].map((id) => `mentioned in commit ${id}`),
    );
    for (const { path } of [first, second]) {
      expect(await mentionsOf(api, world.dev, path)).toEqual([
        `mentioned in commit ${away}`,
        `closed via commit ${sha}`,
      ]);
      expect((await world.dev.get(path)).body).toMatchObject({
        state: 'closed',
        closed_by: { id: world.code.developerId },
      });
      expect((await world.dev.get(`${path}/resource_state_events`)).body).toMatchObject([
        { state: 'closed', source_commit: sha, source_merge_request_id: null },
      ]);
    }
    const events = await world.dev.get<{ target_iid: number }[]>(`${world.base}/events?action=closed`);
    const closed = events.body.map(({ target_iid: iid }) => iid);
    expect(closed.filter((iid) => [first.iid, second.iid].includes(iid)).sort()).toEqual(
      [first.iid, second.iid].sort(),
    );
  });

  it('close nothing that the pusher may not close, nor if the project has disabled it', async () => {
    const other = await MergeWorld.build(api);
    const foreign = await issue('not theirs', api.root);
    const sha = await (async (): Promise<string> => {
      const text = `Closes ${world.code.fullPath}#${foreign.iid}`;
      return other.commit('main', { 'foreign.txt': '1' }, text);
    })();
    const path = other.code.fullPath.split('/').pop() ?? '';
    expect(await mentionsOf(api, api.root, foreign.path)).toEqual([`mentioned in commit ${path}@${sha}`]);
    expect(await stateOf(foreign.path)).toBe('opened');
    await api.root.put(world.base, { autoclose_referenced_issues: false });
    const kept = await issue('kept');
    const own = await commit('main', `Closes #${kept.iid}`);
    expect(await mentionsOf(api, world.dev, kept.path)).toEqual([`mentioned in commit ${own}`]);
    expect(await stateOf(kept.path)).toBe('opened');
    await api.root.put(world.base, { autoclose_referenced_issues: true });
  });

  it('close the issues of a merge request through the merge request, not through its commits', async () => {
    const [first, second] = [await issue('by text'), await issue('by commit')];
    const sha = await commit('closer', `Fixes #${second.iid}`);
    const opened = await world.open('closer', { 'closer.txt': '1' }, { description: `Closes #${first.iid}` });
    expect((await world.merge(opened.iid)).status).toBe(200);
    // Two jobs write after the merge, in any order.
    expect((await mentionsOf(api, world.dev, first.path)).sort()).toEqual([
      `closed via merge request !${opened.iid}`,
      `mentioned in commit ${(await world.find(opened.iid)).merge_commit_sha ?? ''}`,
      `mentioned in merge request !${opened.iid}`,
    ]);
    const mergeSha = (await world.find(opened.iid)).merge_commit_sha ?? '';
    expect((await mentionsOf(api, world.dev, second.path)).sort()).toEqual(
      [
        `closed via merge request !${opened.iid}`,
        ...[sha, mergeSha].map((id) => `mentioned in commit ${id}`),
      ].sort(),
    );
    await api.root.put(world.base, { merge_requests_access_level: 'private' });
    const stranger = await createUser(api);
    expect(await mentionsOf(api, stranger.client, second.path)).toEqual(
      [sha, mergeSha].map((id) => `mentioned in commit ${id}`),
    );
    await api.root.put(world.base, { merge_requests_access_level: 'enabled' });
    expect(await ids(`${first.path}/closed_by`)).toEqual([opened.iid]);
    expect(await ids(`${second.path}/closed_by`)).toEqual([opened.iid]);
    expect(await ids(`${first.path}/related_merge_requests`)).toEqual([opened.iid]);
    expect(await ids(`${second.path}/related_merge_requests`)).toEqual([opened.iid]);
  });
});
