import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { git, gitText } from '#core/repositories/git/git.js';
import { CommitKeepingService } from '#core/repositories/keep-around/commit-keeping.service.js';
import { keepCommits } from '#core/repositories/keep-around/keep-refs.js';
import { KeepCommitsProcessor } from '#core/repositories/keep-around/keep-commits.processor.js';
import { RepositoryUpkeepService } from '#core/repositories/measure/repository-upkeep.service.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../../support/api.js';
import { MergeWorld, type ShownMergeRequest } from '../../../../support/merge-world.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let world: MergeWorld;
let repository: OpenRepository;
beforeAll(async () => {
  api = await borrowApi();
  world = await MergeWorld.build(api);
  repository = await api.app
    .get(RepositoriesService, { strict: false })
    .open(projectRepository(world.code.id));
  // Here only the tests keep commits, collect garbage and change refs.
  await turn('pause');
});
afterAll(async () => {
  await turn('resume');
  await api.close();
});

const turn = async (verb: 'pause' | 'resume'): Promise<void> => {
  const { status } = await api.root.post(`/admin/background_jobs/queues/repositories/${verb}`);
  expect(status).toBe(201);
};

const AUTHOR = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.com',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.com',
};

const context = { signal: new AbortController().signal } as Parameters<KeepCommitsProcessor['process']>[1];
const keep = (): Promise<void> => api.app.get(KeepCommitsProcessor, { strict: false }).process({}, context);
const kept = async (): Promise<string[]> =>
  (await gitText(repository.path, ['for-each-ref', '--format=%(refname)', 'refs/keep-around/']))
    .split('\n')
    .filter(Boolean);
const has = async (sha: string): Promise<boolean> =>
  (await gitText(repository.path, ['cat-file', '--batch-check'], { input: `${sha}\n` })).includes('commit');
const collectGarbage = (): Promise<Buffer> => git(repository.path, ['gc', '--quiet', '--prune=now']);

interface Version {
  readonly id: number;
  readonly head_commit_sha: string;
  readonly state: string;
}

const versionsOf = async (iid: number): Promise<Version[]> =>
  (await world.dev.get<Version[]>(`${world.base}/merge_requests/${iid}/versions`)).body;

/** Opens a merge request and replaces its first commit, as an amend does. */
async function rewritten(branch: string): Promise<ShownMergeRequest> {
  const opened = await world.open(branch);
  const other = await gitText(repository.path, ['commit-tree', `${opened.sha}^{tree}`, '-p', 'main'], {
    input: 'Amended',
    env: AUTHOR,
  });
  await world.commit(branch, { 'to-be-dropped.txt': 'x\n' });
  await world.when(opened.iid, ({ sha }) => sha !== opened.sha);
  await git(repository.path, ['update-ref', `refs/heads/${branch}`, other]);
  await git(repository.path, ['update-ref', `refs/merge-requests/${opened.iid}/head`, other]);
  return opened;
}

describe('a commit referenced by a row', () => {
  it('outlives the branch: a former version of a merge request shows its commits and changes', async () => {
    const opened = await rewritten('amended');
    await keep();
    await collectGarbage();
    const versions = await versionsOf(opened.iid);
    expect(versions).toHaveLength(2);
    for (const { id } of versions) {
      const { status, body } = await world.dev.get(
        `${world.base}/merge_requests/${opened.iid}/versions/${id}`,
      );
      expect([status, body]).toEqual([
        200,
        expect.objectContaining({
          state: 'collected',
          commits: expect.arrayContaining([expect.anything()]),
          diffs: expect.arrayContaining([expect.anything()]),
        }),
      ]);
    }
  });

  it('is kept before the service collects garbage, however long ago it was referenced', async () => {
    const opened = await rewritten('collected');
    await api.sql('delete from named_commits');
    await api.sql('update repositories set commits_collected_at = null where id = $1', [repository.id]);
    await api.sql('delete from kept_commits');
    await git(repository.path, ['for-each-ref', '--format=delete %(refname)', 'refs/keep-around/']).then(
      (input) => git(repository.path, ['update-ref', '--stdin'], { input }),
    );
    await manyLooseObjects();
    await age();
    await api.app.get(RepositoryUpkeepService, { strict: false }).tidy(repository, context.signal);
    expect(await gitText(repository.path, ['count-objects'])).toMatch(/^\d{1,2} objects/);
    expect(await has(opened.sha)).toBe(true);
    expect((await kept()).length).toBeGreaterThan(0);
  });

  it('is kept once it exists, however many others are missing', async () => {
    const sha = await gitText(repository.path, ['commit-tree', 'main^{tree}', '-p', 'main'], {
      input: 'Late',
      env: AUTHOR,
    });
    const missing = `insert into kept_commits (project_id, sha, is_missing)`;
    await api.sql(
      `${missing} select $1, lpad(to_hex(n), 40, '0'), true from generate_series(1, 10000) n order by n`,
      [world.code.id],
    );
    await api.sql(`${missing} values ($1, $2, true)`, [world.code.id, sha]);
    await api.app
      .get(CommitKeepingService, { strict: false })
      .keepAll(repository, new AbortController().signal);
    await collectGarbage();
    expect(await has(sha)).toBe(true);
    await api.sql('delete from kept_commits where is_missing');
  });

  it('is kept for pipelines, commit statuses, deployments and comments, with few hidden refs', async () => {
    const shas: string[] = [];
    for (const [number, name] of ['status', 'comment', 'deployed', 'discussed'].entries()) {
      const sha = await world.commit(`kept-${name}`, { [`${name}.txt`]: String(number) });
      const commits = `${world.base}/repository/commits/${sha}`;
      const made =
        name === 'status'
          ? await world.dev.post(`${world.base}/statuses/${sha}`, { state: 'success' })
          : name === 'comment'
            ? await world.dev.post(`${commits}/comments`, { note: 'Well' })
            : name === 'deployed'
              ? await world.dev.post(`${world.base}/deployments`, {
                  environment: 'production',
                  sha,
                  ref: `kept-${name}`,
                  tag: false,
                  status: 'running',
                })
              : await world.dev.post(`${world.base}/repository/commits/${sha}/discussions`, { body: 'Well' });
      if (made.status !== 404) {
        expect([name, made.status]).toEqual([name, 201]);
        shas.push(sha);
      }
      await world.dev.delete(`${world.base}/repository/branches/kept-${name}`);
    }
    expect(shas.length).toBeGreaterThan(2);
    await keep();
    await git(repository.path, [
      'for-each-ref',
      '--format=delete %(refname)',
      'refs/environments/',
      'refs/pipelines/',
    ]).then((input) => git(repository.path, ['update-ref', '--stdin'], { input }));
    await collectGarbage();
    for (const sha of shas) expect([sha, await has(sha)]).toEqual([sha, true]);
    const refs = await gitText(repository.path, ['upload-pack', '--advertise-refs', '.']).catch(() => '');
    expect(refs).not.toContain('keep-around');
  });

  it('costs one ref per batch, and the refs are merged', async () => {
    const first = await kept();
    for (let round = 0; round < 40; round += 1) {
      const sha = await gitText(repository.path, ['commit-tree', 'main^{tree}', '-p', 'main'], {
        input: `Round ${round}`,
        env: AUTHOR,
      });
      await api.sql('insert into named_commits (project_id, sha) values ($1, $2)', [world.code.id, sha]);
      await keep();
    }
    expect((await kept()).length).toBeLessThan(first.length + 32);
    await collectGarbage();
    await git(repository.path, ['fsck', '--full', '--strict']);
    const rows = await api.sql<{ sha: string }>('select sha from kept_commits where not is_missing');
    for (const { sha } of rows) expect([sha, await has(sha)]).toEqual([sha, true]);
  });
});

describe('a lost commit', () => {
  it('is kept by two runs at once, without a word', async () => {
    const { sha } = await world.open('twice');
    await Promise.all([1, 2].map(() => keepCommits(repository.path, [sha])));
    await keepCommits(repository.path, [sha]);
    const refs = (await kept()).filter((ref) => ref.startsWith('refs/keep-around/0/'));
    expect(new Set(refs).size).toBe(refs.length);
  });

  it('is reported: 404 for its version and a state in the list, never an empty list', async () => {
    const opened = await rewritten('lost');
    const path = `${world.base}/merge_requests/${opened.iid}`;
    await api.sql('delete from named_commits');
    await api.sql('delete from kept_commits');
    await git(repository.path, [
      'for-each-ref',
      '--format=delete %(refname)',
      'refs/keep-around/',
      'refs/pipelines/',
    ]).then((input) => git(repository.path, ['update-ref', '--stdin'], { input }));
    await collectGarbage();
    expect(await has(opened.sha)).toBe(false);
    const versions = await versionsOf(opened.iid);
    const lost = versions.find(({ head_commit_sha: head }) => head === opened.sha);
    const answer = await world.dev.get(`${path}/versions/${lost?.id ?? 0}`);
    expect([answer.status, answer.body]).toEqual([404, { message: '404 Commit Not Found' }]);
    await api.sql(
      'update repositories set commits_collected_at = null, created_at = to_timestamp(0) where id = $1',
      [repository.id],
    );
    await keep();
    const told = await versionsOf(opened.iid);
    expect(told.find(({ id }) => id === lost?.id)?.state).toBe('without_files');
  });
});

/** So many that git considers the repository unoptimized. */
async function manyLooseObjects(): Promise<void> {
  const commands = Array.from(
    { length: 4_000 },
    (_, number) => `blob\ndata ${String(number).length}\n${number}\n`,
  ).join('');
  await git(repository.path, ['fast-import', '--quiet'], {
    input: commands,
    env: UNPACKED,
    timeoutMs: 300_000,
  });
}

/** Objects stay loose below this number. */
const UNPACKED = {
  GIT_CONFIG_COUNT: '2',
  GIT_CONFIG_KEY_0: 'fastimport.unpackLimit',
  GIT_CONFIG_VALUE_0: '100000',
  GIT_CONFIG_KEY_1: 'core.fsync',
  GIT_CONFIG_VALUE_1: 'none',
};

/** Makes all objects three weeks old. */
async function age(): Promise<void> {
  const objects = join(repository.path, 'objects');
  const then = new Date(Date.now() - 21 * 86_400_000);
  for (const folder of await readdir(objects))
    for (const file of await readdir(join(objects, folder)))
      await utimes(join(objects, folder, file), then, then);
}
