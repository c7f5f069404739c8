import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startApi, ROOT_TOKEN, type TestApi } from '../support/api.js';
import { buildProject, type BuiltProject } from '../support/builders/project.js';
import { buildApplication, buildPair } from '../support/builders/oauth.js';
import { buildToken } from '../support/builders/token.js';
import { WorkingCopy, type GitAnswer } from '../support/git.js';
import { gitUrl, postPack, pushBody } from '../support/git-http.js';

let api: TestApi;
let project: BuiltProject;
let work: WorkingCopy;
let url: string;
let refusal: string | null = null;
const events: RefsPushed[] = [];

beforeAll(async () => {
  api = await startApi();
  api.app.get(PushRulesRegistry, { strict: false }).register(() => refusal);
  api.app.get(DomainEvents, { strict: false }).on(RefsPushed, (event) => {
    events.push(event);
  });
});
afterAll(() => api.close());

beforeEach(async () => {
  project = await buildProject(api.root);
  url = gitUrl(api, `/${project.path_with_namespace}.git`, ['root', ROOT_TOKEN]);
  work = await new WorkingCopy().init();
  events.length = 0;
  refusal = null;
});
afterEach(async () => {
  expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  work.remove();
});

const push = (...args: string[]): Promise<GitAnswer> => work.run(['push', url, ...args]);

async function refs(): Promise<string[]> {
  const listed = await work.git('ls-remote', url);
  return listed === '' ? [] : listed.split('\n').filter((line) => !line.endsWith('HEAD'));
}

async function quarantines(): Promise<string[]> {
  const { path } = await api.app
    .get(RepositoriesService, { strict: false })
    .ensure(projectRepository(project.id));
  return readdirSync(join(path, 'objects')).filter((name) => name.includes('tmp'));
}

describe('pushing', () => {
  it('reports options without effect', async () => {
    await work.commit({ 'a.txt': 'one' }, 'First');
    const options = [
      'ci.skip',
      'ci.variable=A=1',
      'merge_request.create',
      'merge_request.title=x',
      'ci.variable=?',
    ];
    const { code, stderr } = await push('main', ...options.flatMap((option) => ['-o', option]));
    expect(code).toBe(0);
    const told = [...stderr.matchAll(/remote: The push option (\S+) is not supported/g)];
    expect(told.map(([, name]) => name)).toEqual([
      'merge_request.create',
      'merge_request.title',
      'ci.variable',
    ]);
    const silent = await work.run(['push', url, 'main:other', '-o', 'ci.skip']);
    expect([silent.code, silent.stderr]).toEqual([0, expect.not.stringContaining('push option')]);
    const wiki = await work.run(['push', url.replace('.git', '.wiki.git'), 'main', '-o', 'ci.skip']);
    expect([wiki.code, wiki.stderr]).toEqual([0, expect.stringContaining('The push option ci.skip is not')]);
  });

  it('accepts any token under any user name, as release tools send it', async () => {
    const { token } = await buildToken(api, 1);
    const { access } = await buildPair(api, await buildApplication(api), 1);
    for (const [at, secret] of [token, access].entries())
      for (const name of ['gitlab-ci-token', 'oauth2', 'root', 'x']) {
        await work.commit({ 'a.txt': `${name}${at}` }, name);
        const target = gitUrl(api, `/${project.path_with_namespace}.git`, [name, secret]);
        const { code, stderr } = await work.run(['push', target, 'HEAD:main']);
        expect([name, code, stderr]).toEqual([name, 0, expect.stringContaining('main')]);
      }
  });

  it('creates branches and tags, whose effects exist when the client ends', async () => {
    const first = await work.commit({ 'a.txt': 'one' }, 'First');
    await work.git('tag', '-a', 'v1', '-m', 'one');
    const { code, stderr } = await push('main', 'v1');
    expect([code, stderr]).toEqual([0, expect.stringContaining('main -> main') as unknown as string]);
    expect(events).toHaveLength(1);
    expect(events[0]?.changes).toContainEqual({
      ref: 'refs/heads/main',
      before: '0'.repeat(40),
      after: first,
    });
    expect(events[0]?.userId).toBe(1);
    expect((await refs())[0]).toBe(`${first}\trefs/heads/main`);
    expect(
      await api.sql('select 1 from repositories where pushed_at is not null and owner_id = $1', [project.id]),
    ).toHaveLength(1);
  });

  it('moves, force-updates and removes refs', async () => {
    await work.commit({ 'a.txt': 'one' });
    await push('main', 'main:refs/heads/topic');
    const second = await work.commit({ 'a.txt': 'two' });
    expect((await push('main:refs/heads/topic')).code).toBe(0);
    await work.git('reset', '--quiet', '--hard', 'HEAD^');
    const other = await work.commit({ 'a.txt': 'three' });
    expect((await push('main:refs/heads/topic')).code).toBe(1);
    expect((await push('--force', 'main:refs/heads/topic')).code).toBe(0);
    expect(events.at(-1)?.changes).toEqual([{ ref: 'refs/heads/topic', before: second, after: other }]);
    expect((await push('--delete', 'topic')).code).toBe(0);
    expect((await refs()).map((line) => line.split('\t')[1])).toEqual(['refs/heads/main']);
  });

  it('supports options', async () => {
    await work.commit({ 'a.txt': 'one' });
    expect((await push('main', '-o', 'ci.skip', '-o', "a b $(touch /tmp/forgeplane-x) 'c'")).code).toBe(0);
    expect(events[0]?.pushOptions).toEqual(['ci.skip', "a b $(touch /tmp/forgeplane-x) 'c'"]);
  });

  it('without new commits changes nothing', async () => {
    await work.commit({ 'a.txt': 'one' });
    await push('main');
    const { code, stderr } = await push('main');
    expect([code, stderr]).toEqual([0, 'Everything up-to-date\n']);
    expect(events).toHaveLength(1);
  });

  it('of 1,000 refs counts as one push', async () => {
    const id = await work.commit({ 'a.txt': 'one' });
    const lines = Array.from({ length: 1_000 }, (_, number) => `${id}:refs/heads/b/${number}`);
    const { code, stderr } = await push(...lines);
    expect([code, stderr]).toEqual([0, expect.stringContaining('b/999') as unknown as string]);
    expect(await refs()).toHaveLength(1_000);
    expect(events).toHaveLength(1);
    expect(events[0]?.changes).toHaveLength(1_000);
  });

  it('follows redirects of the URL without .git', async () => {
    await work.commit({ 'a.txt': 'one' });
    const { code } = await work.run(['push', url.replace(/\.git$/, ''), 'main']);
    expect(code).toBe(0);
    expect(await refs()).toHaveLength(1);
  });
});

describe('a refused push', () => {
  it('changes nothing, leaves nothing, and reports the reason', async () => {
    await work.commit({ 'a.txt': 'one' });
    await push('main');
    refusal = 'Not today.\nNever.';
    await work.commit({ 'a.txt': 'two' });
    const { code, stderr } = await push('main', 'main:refs/heads/other');
    expect(code).toBe(1);
    expect(stderr).toContain('remote: Forgeplane: Not today. Never.');
    expect(stderr).toContain('(pre-receive hook declined)');
    expect(await refs()).toHaveLength(1);
    expect(await quarantines()).toEqual([]);
    expect(events).toHaveLength(1);
  });

  it('includes one whose repository started to move after the push was admitted', async () => {
    const id = await work.commit({ 'a.txt': 'one' });
    await push('main');
    const moving = (is: boolean): Promise<unknown> =>
      api.sql('update projects set repository_read_only = $2 where id = $1', [project.id, is]);
    await moving(true);
    const { code, stderr } = await push('main:refs/heads/late');
    expect(code).toBe(128);
    expect(stderr).toContain('remote: The repository is temporarily read-only. Please try again later.');
    const path = `/${project.path_with_namespace}.git`;
    const body = pushBody(work, 'refs/heads/late', id);
    const refused = await postPack(api, path, 'receive', body, ['root', ROOT_TOKEN]);
    expect([refused.status, refused.text]).toEqual([
      200,
      expect.stringContaining(
        'Forgeplane: The repository is temporarily read-only. Please try again later.',
      ) as unknown as string,
    ]);
    expect(refused.text).toContain('ng refs/heads/late pre-receive hook declined');
    await moving(false);
    expect(await refs()).toHaveLength(1);
    expect((await push('main:refs/heads/late')).code).toBe(0);
  });

  it('includes one to internal refs', async () => {
    await work.commit({ 'a.txt': 'one' });
    for (const ref of [
      'refs/environments/x',
      'refs/keep-around/x',
      'refs/merge-requests/1/head',
      'refs/anything',
    ]) {
      const { code, stderr } = await push(`main:${ref}`);
      expect([ref, code]).toEqual([ref, 1]);
      expect(stderr).not.toContain('/tmp/');
    }
    expect(await refs()).toEqual([]);
  });

  it('includes one whose content git itself rejects', async () => {
    const evil = '[submodule "x"]\n\tpath = x\n\turl = -u./payload\n';
    await work.commit({ '.gitmodules': evil });
    const { code, stderr } = await push('main');
    expect(code).toBe(1);
    expect(stderr).toContain('gitmodulesUrl');
    expect(await refs()).toEqual([]);
    expect(await quarantines()).toEqual([]);
  });

  it('includes one that contains a .git folder', async () => {
    const blob = await work.pipe(['hash-object', '-w', '--stdin'], 'x');
    for (const name of ['.git', '.GIT', 'git~1', '..']) {
      await work.git('config', 'core.protectNTFS', 'false');
      const tree = await work.pipe(['mktree'], `100644 blob ${blob}\t${name}\n`);
      const commit = await work.git('commit-tree', tree, '-m', 'evil');
      const { code } = await push(`${commit}:refs/heads/evil`);
      expect([name, code]).toEqual([name, 1]);
    }
    expect(await refs()).toEqual([]);
  });
});

describe('simultaneous pushes', () => {
  const clones = async (count: number): Promise<WorkingCopy[]> =>
    Promise.all(
      Array.from({ length: count }, async (_, number) => {
        const copy = new WorkingCopy();
        await copy.git('clone', '--quiet', url, '.');
        await copy.commit({ 'a.txt': `mine ${number}` });
        return copy;
      }),
    );

  it('to one branch: exactly one succeeds', async () => {
    await work.commit({ 'a.txt': 'one' });
    await push('main');
    const copies = await clones(5);
    const answers = await Promise.all(copies.map((copy) => copy.run(['push', url, 'HEAD:main'])));
    expect(answers.filter(({ code }) => code === 0)).toHaveLength(1);
    expect(events).toHaveLength(2);
    for (const copy of copies) copy.remove();
  });

  it('to different branches: all succeed', async () => {
    await work.commit({ 'a.txt': 'one' });
    await push('main');
    const copies = await clones(5);
    const answers = await Promise.all(
      copies.map((copy, number) => copy.run(['push', url, `HEAD:refs/heads/topic-${number}`])),
    );
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    expect(await refs()).toHaveLength(6);
    expect(events).toHaveLength(6);
    for (const copy of copies) copy.remove();
  });
});
