import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync } from 'node:fs';
import { KEPT_LIMITS } from '#core/repositories/git/kept/kept-gits.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { startApi, type TestApi } from '../../../../support/api.js';
import { codeProject, type CodeProject } from '../../../../support/code.js';
import { until } from '../../../../support/until.js';

interface Kept extends CodeProject {
  readonly path: string;
  readonly sha: string;
}

const usual = { ...KEPT_LIMITS };
const limit = (values: Partial<typeof usual>): void => void Object.assign(KEPT_LIMITS, values);

let api: TestApi;
let all: Kept[];
let first: Kept;

/** Creates a project whose repository is read. */
async function kept(name: string): Promise<Kept> {
  const project = await codeProject(api, name);
  const sha = await project.work.commit({ 'a.txt': `${name}\n`, '.gitlab-ci.yml': 'job:\n  script: echo\n' });
  await project.push();
  const { path } = await api.app
    .get(RepositoriesService, { strict: false })
    .open(projectRepository(project.id));
  return { ...project, path, sha };
}

beforeAll(async () => {
  api = await startApi();
  all = [];
  for (const name of ['one', 'two', 'three', 'four', 'five']) all.push(await kept(name));
  first = all[0] as Kept;
});
afterEach(() => limit(usual));
afterAll(async () => {
  for (const { work } of all) work.remove();
  await api.close();
});

const fieldsOf = (pid: string, file: string): string[] => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
  } catch {
    return [];
  }
};

/** Processes that are kept for these repositories. */
const keptFor = (...repositories: readonly Kept[]): number[] =>
  readdirSync('/proc')
    .filter((pid) => /^\d+$/.test(pid) && fieldsOf(pid, 'cmdline').includes('--batch-command'))
    .filter((pid) =>
      fieldsOf(pid, 'environ').some((value) => repositories.some(({ path }) => value === `GIT_DIR=${path}`)),
    )
    .map(Number);

const say = async ({ id, sha }: Kept, name = sha): Promise<number> =>
  (await api.root.post(`/projects/${id}/statuses/${name}`, { state: 'success', ref: 'main' })).status;

/** Sends requests until a process is kept. */
async function warm(repository: Kept): Promise<number> {
  await until(async () => (await say(repository)) === 201 && keptFor(repository).length === 1);
  return keptFor(repository)[0] as number;
}

const isAlive = (pid: number): boolean => fieldsOf(String(pid), 'cmdline').some((value) => value !== '');

it('a kept process answers one request after another', async () => {
  // Within a second it is unknown whether the folder of packs has just changed.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const pid = await warm(first);
  for (let number = 0; number < 5; number += 1) expect(await say(first)).toBe(201);
  const made = await api.root.post(`/projects/${first.id}/pipeline`, { ref: 'main' });
  expect(made.status).toBe(201);
  expect(keptFor(first)).toEqual([pid]);
});

it('a kept process finds the targets of deployments', async () => {
  const repository = all[1] as Kept;
  const { id, sha } = repository;
  // The jobs that keep the commits would start one.
  await api.sql(`insert into paused_queues (name) values ('repositories')`);
  limit({ idleMs: 0 });
  await until(() => keptFor(repository).length === 0);
  limit(usual);
  for (let number = 0; number < 3; number += 1) {
    const deployment = { environment: 'production', sha, ref: 'main', tag: false, status: 'success' };
    expect((await api.root.post(`/projects/${id}/deployments`, deployment)).status).toBe(201);
  }
  expect(keptFor(repository)).toHaveLength(1);
  await api.sql('delete from paused_queues');
});

it('a kept process stays while the packs of its repository are the same', async () => {
  // Far longer than it is unknown whether they have just changed.
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const pid = await warm(first);
  for (let second = 0; second < 3; second += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    expect(await say(first)).toBe(201);
  }
  expect(keptFor(first)).toEqual([pid]);
});

it('a kept process sees pushes and manual changes', async () => {
  await warm(first);
  const before = first.sha;
  const sha = await first.work.commit({ 'b.txt': 'b\n' });
  await first.push();
  first = all[0] = { ...first, sha };
  expect(await say(first)).toBe(201);
  const head = (): Promise<{ body: { id: string } }> => api.root.get(`${first.base}/commits/main`);
  expect((await head()).body.id).toBe(sha);
  const byHand = (...args: string[]): Buffer => execFileSync('git', ['--git-dir', first.path, ...args]);
  byHand('update-ref', 'refs/heads/main', before);
  expect((await head()).body.id).toBe(before);
  byHand('pack-refs', '--all');
  expect((await head()).body.id).toBe(before);
  byHand('update-ref', 'refs/heads/main', sha);
  expect((await head()).body.id).toBe(sha);
  byHand('update-ref', '-d', 'refs/heads/main');
  expect((await api.root.get(`${first.base}/commits/main`)).status).toBe(404);
  byHand('update-ref', 'refs/heads/main', sha);
});

it('a kept process does not know objects that a clean-up removed', async () => {
  const byHand = (...args: string[]): string =>
    execFileSync('git', ['--git-dir', first.path, ...args], { encoding: 'utf8' }).trim();
  byHand('repack', '-a', '-d', '-q');
  const tree = byHand('rev-parse', 'main^{tree}');
  const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com'];
  const lost = byHand(...identity, 'commit-tree', tree, '-m', 'Lost');
  byHand('update-ref', 'refs/heads/lost', lost);
  byHand('repack', '-a', '-d', '-q');
  const pid = await warm(first);
  const seen = async (): Promise<number> => (await api.root.get(`${first.base}/commits/${lost}`)).status;
  expect(await seen()).toBe(200);
  byHand('update-ref', '-d', 'refs/heads/lost');
  byHand('repack', '-a', '-d', '-q');
  expect(await seen()).toBe(404);
  expect(isAlive(pid)).toBe(false);
  expect(await say(first)).toBe(201);
});

it('a kept process is replaced if it is killed, and stopped if it does not respond', async () => {
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const pid = await warm(first);
  process.kill(pid, 'SIGSTOP');
  const answer = say(first);
  await new Promise((resolve) => setTimeout(resolve, 200));
  process.kill(pid, 'SIGKILL');
  expect(await answer).toBe(201);
  limit({ answerMs: 300 });
  const next = await warm(first);
  process.kill(next, 'SIGSTOP');
  expect(await say(first)).toBe(503);
  await until(() => !isAlive(next));
  expect(await say(first)).toBe(201);
});

it('a kept process knows only commits of its repository', async () => {
  await warm(first);
  const [other] = all.slice(1) as [Kept];
  expect(await say(first, first.sha.slice(0, 7))).toBe(201);
  expect(await say(first, 'f'.repeat(40))).toBe(404);
  expect(await say(first, other.sha)).toBe(404);
  expect(await say(first)).toBe(201);
});

it('a kept process describes commits as `git log` does', async () => {
  await warm(first);
  const byHand = (input: Buffer | string): string =>
    execFileSync(
      'git',
      ['--git-dir', first.path, 'hash-object', '-t', 'commit', '-w', '--stdin', '--literally'],
      {
        input,
        encoding: 'utf8',
      },
    ).trim();
  const tree = await first.work.git('rev-parse', 'main^{tree}');
  const by = (author: string, more = ''): string =>
    `tree ${tree}\nparent ${first.sha}\nauthor ${author}\ncommitter C <c@example.com> 1700000000 -0330\n${more}\n`;
  const texts = [
    `${by('A B <a@example.com> 1700000000 +0530')}Subject\n\nBody\n\nMore`,
    by('A <a@example.com> 1700000000 +0000'),
    `${by('A <a@example.com> 0 +0000')}\n\nAfter blank lines\n`,
    `${by(' A.  <> 1700000000 +1400')}Ends in blanks  \n\n\n`,
    `${by('<a@example.com> 1700000000 -1200')}No name`,
    `${by('A <a@example.com> 99999999999 +0000')}Far away`,
    `${by('A <a@example.com> 1700000000 +9999')}No zone`,
    `${by('A <a@example.com>')}No time`,
    `${by('Ä <ä@example.com> 1700000000 +0100', 'gpgsig -----BEGIN\n author X <x> 1 +0000\n -----END\n')}Signed ü\r\n`,
    Buffer.from(`${by('Ä <a@example.com> 1700000000 +0100', 'encoding ISO-8859-1\n')}Über`, 'latin1'),
    Buffer.from(`${by('A <a@example.com> 1700000000 +0100')}Über, not said`, 'latin1'),
    `${by('A <a@example.com> 1700000000 +0100', 'encoding UTF-8\n')}Said ü`,
  ];
  for (const text of texts) {
    const sha = byHand(text);
    const one = await api.root.get(`${first.base}/commits/${sha}`);
    const list = await api.root.get<object[]>(`${first.base}/commits?ref_name=${sha}&per_page=1`);
    expect([one.status, list.status]).toEqual([200, 200]);
    expect(one.body).toMatchObject(list.body[0] as Record<string, unknown>);
  }
});

it('processes are kept for few repositories at a time, and only for a limited time', async () => {
  limit({ processes: 2 });
  await until(() => keptFor(...all).length <= 2, 15_000);
  let most = 0;
  const watch = setInterval(() => (most = Math.max(most, keptFor(...all).length)), 20);
  for (let round = 0; round < 4; round += 1)
    expect(await Promise.all(all.flatMap((one) => [say(one), say(one)]))).toEqual(
      all.flatMap(() => [201, 201]),
    );
  clearInterval(watch);
  expect([most > 0, most <= 2]).toEqual([true, true]);
  limit({ idleMs: 100 });
  await until(() => keptFor(...all).length === 0, 5_000);
});

it('a kept process ends with its repository, and with the service', async () => {
  const gone = await kept('gone');
  gone.work.remove();
  await warm(gone);
  await api.root.delete(`/projects/${gone.id}`);
  await until(() => keptFor(gone).length === 0, KEPT_LIMITS.idleMs / 2);
  const hidden = `${first.path}.hidden`;
  renameSync(first.path, hidden);
  expect(await say(first)).toBe(503);
  renameSync(hidden, first.path);
  await warm(first);
  const other = await startApi();
  await other.close();
  await until(() => keptFor(first).length === 0, 2_000);
});
