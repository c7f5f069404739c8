import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { buildProject, type BuiltProject } from '../support/builders/project.js';
import { WorkingCopy } from '../support/git.js';
import { gitUrl } from '../support/git-http.js';
import { borrowApi } from '../support/shared-api.js';
import { until } from '../support/until.js';

interface Shown {
  readonly iid: number;
  readonly state: string;
  readonly sha: string;
  readonly merge_status: string;
  readonly merge_commit_sha: string | null;
  readonly squash_commit_sha: string | null;
}

let api: TestApi;
let project: BuiltProject;
let work: WorkingCopy;
let url: string;
beforeAll(async () => {
  api = await borrowApi();
});
afterAll(() => api.close());
beforeEach(async () => {
  project = await buildProject(api.root);
  url = gitUrl(api, `/${project.path_with_namespace}.git`, ['root', ROOT_TOKEN]);
  work = await new WorkingCopy().init();
  await work.git('remote', 'add', 'origin', url);
  await work.commit({ 'a.txt': 'one\n' }, 'First');
  await work.git('push', '--quiet', 'origin', 'main');
});
afterEach(() => work.remove());

const base = (): string => `/projects/${project.id}/merge_requests`;

/** Pushes a commit to a new branch, opens a merge request and waits until its mergeability is known. */
async function open(branch: string, files: Readonly<Record<string, string>>): Promise<Shown> {
  await work.git('checkout', '--quiet', '-b', branch, 'main');
  await work.commit(files, `Work of ${branch}`);
  await work.git('push', '--quiet', 'origin', branch);
  const { body } = await api.root.post<Shown>(base(), {
    title: branch,
    source_branch: branch,
    target_branch: 'main',
  });
  await work.git('checkout', '--quiet', 'main');
  return when(body.iid, ({ merge_status: status }) => status !== 'unchecked');
}

async function when(iid: number, is: (one: Shown) => boolean): Promise<Shown> {
  const find = async (): Promise<Shown> => (await api.root.get<Shown>(`${base()}/${iid}`)).body;
  await until(async () => is(await find()), 30_000);
  return find();
}

const merge = async (iid: number, values = {}): Promise<[number, Shown]> => {
  const { status, body } = await api.root.put<Shown>(`${base()}/${iid}/merge`, values);
  return [status, body];
};

const pulled = async (): Promise<string> => {
  await work.git('pull', '--quiet', '--ff-only', 'origin', 'main');
  return work.git('rev-parse', 'HEAD');
};

describe('merge requests and git', () => {
  it('give merges to users who pull, and heads to users who fetch them', async () => {
    const { iid, sha } = await open('topic', { 'b.txt': 'b\n' });
    await work.git('fetch', '--quiet', 'origin', `refs/merge-requests/${iid}/head`);
    expect(await work.git('rev-parse', 'FETCH_HEAD')).toBe(sha);
    const [status, { state, merge_commit_sha: merged }] = await merge(iid);
    expect([status, state, await pulled()]).toEqual([200, 'merged', merged]);
    expect(await work.git('log', '--format=%s', '--first-parent')).toBe(
      "Merge branch 'topic' into 'main'\nFirst",
    );
    const clone = await work.run(['clone', '--quiet', '--mirror', url, 'mirror']);
    expect(clone.code).toBe(0);
    expect(await work.git('-C', 'mirror', 'rev-parse', `refs/merge-requests/${iid}/head`)).toBe(sha);
  });

  it('are squashed, and fast-forwarded if the project settings say so', async () => {
    const squashed = await open('squash', { 'c.txt': 'c\n' });
    const [, { squash_commit_sha: squash }] = await merge(squashed.iid, { squash: true });
    await pulled();
    expect(await work.git('rev-parse', 'HEAD^2')).toBe(squash);
    await api.root.put(`/projects/${project.id}`, { merge_method: 'ff' });
    const linear = await open('linear', { 'd.txt': 'd\n' });
    expect((await merge(linear.iid))[0]).toBe(200);
    expect(await pulled()).toBe(linear.sha);
  });

  it('are refused with conflicts until a push has resolved them', async () => {
    const { iid } = await open('clash', { 'a.txt': 'theirs\n' });
    await work.commit({ 'a.txt': 'ours\n' });
    await work.git('push', '--quiet', 'origin', 'main');
    expect((await merge(iid))[0]).toBe(422);
    await work.git('checkout', '--quiet', 'clash');
    await work.run(['merge', '--quiet', 'main']);
    const head = await work.commit({ 'a.txt': 'both\n' }, 'Solve');
    await work.git('push', '--quiet', 'origin', 'clash');
    await when(iid, ({ sha, merge_status: status }) => sha === head && status === 'can_be_merged');
    expect((await merge(iid, { sha: head }))[0]).toBe(200);
  });

  it('do not allow pushes to their refs', async () => {
    const { iid, sha } = await open('safe', { 'e.txt': 'e\n' });
    for (const ref of [`refs/merge-requests/${iid}/head`, 'refs/merge-requests/99/head'])
      expect((await work.run(['push', '--force', 'origin', `main:${ref}`])).code).not.toBe(0);
    expect((await work.run(['push', 'origin', `:refs/merge-requests/${iid}/head`])).code).not.toBe(0);
    expect(await work.git('ls-remote', 'origin', 'refs/merge-requests/*')).toBe(
      `${sha}\trefs/merge-requests/${iid}/head`,
    );
  });
});
