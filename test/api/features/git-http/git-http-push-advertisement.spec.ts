import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { GIT_ENVIRONMENT } from '#core/repositories/git/git-environment.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { PushAdvertisement } from '#features/git-http/push/push-advertisement.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { askRefs } from '../../../support/git-http.js';

let api: TestApi;
let path: string;
let repositoryPath: string;
let work: WorkingCopy;
let first: string;

beforeAll(async () => {
  api = await startApi();
  const project = await buildProject(api.root);
  path = `/${project.path_with_namespace}.git`;
  work = await new WorkingCopy().init();
  first = await work.commit({ 'a.txt': 'one' }, 'First');
  await work.git('tag', 'v1');
  await work.commit({ 'a.txt': 'two' }, 'Second');
  ({ path: repositoryPath } = await seedRepository(api, projectRepository(project.id), work));
});
afterAll(async () => {
  work.remove();
  await api.close();
});

const said = async (): Promise<{ text: string; isOfGit: boolean }> => {
  const of = jest.spyOn(PushAdvertisement.prototype, 'of');
  const { text: answer } = await askRefs(api, path, 'receive', ['root', ROOT_TOKEN], {
    'Git-Protocol': 'version=2',
  });
  const isOfGit = (await of.mock.results[0]?.value) === null;
  of.mockRestore();
  return { text: answer, isOfGit };
};
const ofGit = (): string =>
  '001f# service=git-receive-pack\n0000' +
  execFileSync('git', ['receive-pack', '--http-backend-info-refs', repositoryPath], {
    env: { ...GIT_ENVIRONMENT },
    encoding: 'utf8',
  });
const git = (...args: string[]): string =>
  execFileSync('git', ['-C', repositoryPath, ...args], { encoding: 'utf8' });

it('refs are advertised to pushes in the same way as by git, for any layout of refs and objects', async () => {
  await said();
  const states: (() => unknown)[] = [
    () => undefined,
    () => git('update-ref', 'refs/keep-around/x', first),
    () => git('update-ref', 'refs/heads/z/ä\u{1F600}', first),
    () => git('pack-refs', '--all'),
    () => git('update-ref', 'refs/heads/main', first),
    () => git('update-ref', 'refs/merge-requests/1/head', first),
    () => git('repack', '-adq'),
    () => git('update-ref', '-d', 'refs/tags/v1'),
  ];
  for (const change of states) {
    change();
    const { text: answer, isOfGit } = await said();
    expect([answer, isOfGit]).toEqual([ofGit(), false]);
  }
});

it.each<[string, () => unknown, () => unknown]>([
  [
    'a ref of its own kind',
    () => git('symbolic-ref', 'refs/heads/alias', 'refs/heads/main'),
    () => git('symbolic-ref', '-d', 'refs/heads/alias'),
  ],
  ['many refs', () => many('create'), () => many('delete')],
  [
    'a ref whose object is gone',
    () => writeFileSync(join(repositoryPath, 'refs/heads/lost'), `${'b'.repeat(40)}\n`),
    () => rmSync(join(repositoryPath, 'refs/heads/lost')),
  ],
])('refs are advertised by git itself if there is %s', async (_what, begin, end) => {
  begin();
  try {
    expect((await said()).isOfGit).toBe(true);
  } finally {
    end();
  }
});

function many(word: 'create' | 'delete'): void {
  const lines = Array.from(
    { length: 100 },
    (_, n) => `${word} refs/heads/n${n}${word === 'create' ? ` ${first}` : ''}\n`,
  );
  execFileSync('git', ['-C', repositoryPath, 'update-ref', '--stdin'], { input: lines.join('') });
}
