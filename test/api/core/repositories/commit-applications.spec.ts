import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import type { Answer } from '../../../support/client.js';
import { codeProject, refusalOf, type CodeProject } from '../../../support/code.js';
import { borrowApi } from '../../../support/shared-api.js';

interface Commit {
  id: string;
  title: string;
}

let api: TestApi;
let project: CodeProject;

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'code');
  await project.work.commit({ 'a.txt': 'one\n' }, 'First');
  await project.work.git('checkout', '-q', '-b', 'topic');
  await project.work.commit({ 't.txt': 't\n' }, 'Topic');
  await project.work.git('checkout', '-q', 'main');
  await project.work.git('merge', '-q', '--no-ff', '-m', 'Merge topic', 'topic');
  await project.push();
});
afterAll(async () => {
  project.work.remove();
  await api.close();
});

const commit = (actions: unknown, values: object = {}): Promise<Answer<Commit>> =>
  api.root.post<Commit>(`${project.base}/commits`, {
    branch: 'main',
    commit_message: 'Change',
    actions,
    ...values,
  });

const file = async (path: string): Promise<string | null> => {
  const answer = await api.root.get(`${project.base}/files/${encodeURIComponent(path)}/raw?ref=main`);
  return answer.status === 200 ? answer.text : null;
};

describe('cherry-picks and reverts', () => {
  const apply = (verb: string, sha: string, values: object = {}): Promise<Answer<Commit>> =>
    api.root.post<Commit>(`${project.base}/commits/${sha}/${verb}`, { branch: 'main', ...values });

  it('apply and undo a commit', async () => {
    const side = await commit([{ action: 'create', file_path: 's', content: 's' }], {
      branch: 'side',
      start_branch: 'main',
      author_name: 'Eve',
      author_email: 'eve@example.com',
    });
    const dry = await apply('cherry_pick', side.body.id, { dry_run: true });
    expect([dry.status, dry.body]).toEqual([200, { dry_run: 'success' }]);
    expect(await file('s')).toBeNull();
    await api.sql('update projects set repository_read_only = true where id = $1', [project.id]);
    expect(refusalOf(await apply('cherry_pick', side.body.id, { dry_run: true }))[0]).toBe(400);
    expect(refusalOf(await apply('cherry_pick', side.body.id))[0]).toBe(400);
    await api.sql('update projects set repository_read_only = false where id = $1', [project.id]);
    const picked = await apply('cherry_pick', side.body.id);
    expect(picked.status).toBe(201);
    expect(picked.body).toMatchObject({
      message: `Change\n\n(cherry picked from commit ${side.body.id})\n`,
      author_name: 'Eve',
      committer_name: 'Administrator',
    });
    expect(await file('s')).toBe('s');
    expect((await apply('cherry_pick', side.body.id)).body).toMatchObject({ error_code: 'empty' });
    const refused = await apply('cherry_pick', side.body.id, { dry_run: true });
    expect([refused.status, refused.body]).toMatchObject([400, { error_code: 'empty', dry_run: 'error' }]);
    const reverted = await apply('revert', picked.body.id);
    expect(reverted.body).toMatchObject({ title: 'Revert "Change"', author_name: 'Administrator' });
    expect(await file('s')).toBeNull();
    expect((await apply('cherry_pick', side.body.id, { message: 'Mine' })).body.title).toBe('Mine');
  });

  it('are refused for conflicts, and for missing commits', async () => {
    const first = await commit([{ action: 'update', file_path: 'a.txt', content: 'two\n' }]);
    await commit([{ action: 'update', file_path: 'a.txt', content: 'three\n' }]);
    const refused = await apply('revert', first.body.id);
    expect([refused.status, refused.body]).toEqual([
      400,
      { message: expect.stringContaining('cannot revert'), error_code: 'conflict' },
    ]);
    expect(refusalOf(await apply('revert', 'none'))).toEqual([404, '404 Commit Not Found']);
    expect(refusalOf(await apply('revert', first.body.id, { branch: 'none' }))).toEqual([
      404,
      '404 Branch Not Found',
    ]);
    expect((await apply('revert', first.body.id, { branch: '--all' })).status).toBe(404);
  });

  it('apply the changes of a merge, and all of a first commit', async () => {
    const { body: merges } = await api.root.get<Commit[]>(`${project.base}/commits?per_page=100`);
    const merge = merges.find(({ title }) => title === 'Merge topic');
    expect((await apply('revert', merge?.id ?? '')).status).toBe(201);
    expect(await file('t.txt')).toBeNull();
    const first = merges.find(({ title }) => title === 'First');
    expect((await apply('cherry_pick', first?.id ?? '')).body).toMatchObject({ error_code: 'conflict' });
  });
});
