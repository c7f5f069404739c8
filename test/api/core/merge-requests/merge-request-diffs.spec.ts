import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { MergeWorld, type ShownMergeRequest } from '../../../support/merge-world.js';
import { refusalOf } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Diff {
  readonly new_path: string;
  readonly diff: string;
}

let api: TestApi;
let world: MergeWorld;
let base: string;
let opened: ShownMergeRequest;
beforeAll(async () => {
  api = await borrowApi();
  world = await MergeWorld.build(api);
  opened = await world.open('work', { '+a.txt': 'changed\n', 'b.txt': 'b\n' });
  base = `${world.base}/merge_requests/${opened.iid}`;
});
afterAll(() => api.close());

describe('the changes of a merge request', () => {
  it('are listed in pages, and as part of the merge request', async () => {
    const { body, headers } = await world.dev.get<Diff[]>(`${base}/diffs?per_page=1`);
    expect([body.map(({ new_path: name }) => name), headers.get('x-total')]).toEqual([['a.txt'], '2']);
    expect(body[0]?.diff).toContain('-a\n+changed');
    const whole = await world.dev.get<ShownMergeRequest & { changes: Diff[]; overflow: boolean }>(
      `${base}/changes?unidiff=true&access_raw_diffs=true`,
    );
    expect(whole.body).toMatchObject({ id: opened.id, changes_count: '2', overflow: false });
    expect(whole.body.changes[1]?.diff).toMatch(/^--- \/dev\/null\n\+\+\+ b\/b\.txt\n@@/);
    expect(whole.headers.get('sunset')).not.toBeNull();
  });

  it('are shown as in git', async () => {
    const raw = await world.dev.get(`${base}/raw_diffs`);
    expect([raw.status, raw.headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8']);
    expect(raw.text).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n[^]*\n-a\n\+changed\ndiff --git a\/b\.txt/);
    expect((await world.dev.get(`${world.base}/merge_requests/999999/raw_diffs`)).status).toBe(404);
  });

  it('are shown by version and commit', async () => {
    const versions = await world.dev.get<{ id: number; real_size: string; base_commit_sha: string }[]>(
      `${base}/versions`,
    );
    expect(versions.body).toMatchObject([{ real_size: '2', base_commit_sha: world.code.commits[1] }]);
    const one = await world.dev.get<{ commits: { id: string }[]; diffs: Diff[] }>(
      `${base}/versions/${versions.body[0]?.id ?? 0}`,
    );
    expect([one.body.commits.map(({ id }) => id), one.body.diffs.length]).toEqual([[opened.sha], 2]);
    const commits = await world.dev.get<{ id: string }[]>(`${base}/commits`);
    expect(commits.body.map(({ id }) => id)).toEqual([opened.sha]);
    expect(refusalOf(await world.dev.get(`${base}/versions/999999`))).toEqual([
      404,
      '404 Merge Request Version Not Found',
    ]);
  });

  it('are hidden from callers who may not see the code', async () => {
    const open = await MergeWorld.build(api, { visibility: 'public' });
    const { iid } = await open.open('work');
    const path = `${open.base}/merge_requests/${iid}/diffs`;
    expect((await api.anonymous.get(path)).status).toBe(200);
    await open.code.maintainer.put(open.base, { repository_access_level: 'private' });
    expect((await api.anonymous.get(path)).status).toBe(401);
    expect((await open.code.guest.get(path)).status).toBe(200);
    expect((await world.code.guest.get(`${base}/diffs`)).status).toBe(403);
    expect((await open.code.developer.get(`${base}/diffs`)).status).toBe(404);
    expect(refusalOf(await world.dev.get(`${world.base}/merge_requests/999/diffs`))).toEqual([
      404,
      '404 Merge Request Not Found',
    ]);
  });

  it('are available as a merge commit under a ref', async () => {
    const answer = await world.dev.get<{ commit_id: string }>(`${base}/merge_ref`);
    expect(answer.status).toBe(200);
    const main = (await world.commitOf('main')).id;
    expect((await world.commitOf(answer.body.commit_id)).parent_ids).toEqual([main, opened.sha]);
    expect((await world.dev.get<{ commit_id: string }>(`${base}/merge_ref`)).body).toEqual(answer.body);
  });
});
