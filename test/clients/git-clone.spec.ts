import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { existsSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, type TestApi } from '../support/api.js';
import { buildProject, type BuiltProject } from '../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../support/git.js';
import { gitUrl, type Login } from '../support/git-http.js';
import { borrowApi } from '../support/shared-api.js';

const ROOT: Login = ['root', ROOT_TOKEN];

let api: TestApi;
let project: BuiltProject;
let source: WorkingCopy;
let head: string;
const copies: WorkingCopy[] = [];

beforeAll(async () => {
  api = await borrowApi();
  project = await buildProject(api.root);
  source = await new WorkingCopy().init();
  for (let number = 0; number < 5; number += 1)
    await source.commit(
      { 'a.txt': `${number}\n`, [`docs/${number}.txt`]: 'x'.repeat(1_000 * number) },
      `Change ${number}`,
    );
  head = await source.git('rev-parse', 'HEAD');
  await source.git('tag', 'v1');
  for (let number = 0; number < 60; number += 1) await source.git('branch', `topic-${number}`);
  await seedRepository(api, projectRepository(project.id), source);
  copies.push(source);
});
afterAll(async () => {
  for (const copy of copies) copy.remove();
  await api.close();
});

const place = (): WorkingCopy => {
  const copy = new WorkingCopy();
  copies.push(copy);
  return copy;
};
const url = (login: Login | null = ROOT): string => gitUrl(api, `/${project.path_with_namespace}.git`, login);

describe('cloning', () => {
  it.each([
    ['protocol 2', ['-c', 'protocol.version=2'], []],
    ['protocol 1', ['-c', 'protocol.version=1'], []],
    ['protocol 0', ['-c', 'protocol.version=0'], []],
    ['shallow', [], ['--depth', '1']],
    ['shallow in protocol 0', ['-c', 'protocol.version=0'], ['--depth', '2']],
    ['without blobs', [], ['--filter=blob:none']],
    ['a single branch', [], ['--single-branch', '--branch', 'topic-3']],
    ['a mirror', [], ['--mirror']],
  ])('works: %s', async (_name, before, after) => {
    const copy = place();
    const { code, stderr } = await copy.run([...before, 'clone', ...after, url(), 'copy']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Cloning into') as unknown as string]);
    expect(await copy.git('-C', 'copy', 'rev-parse', 'HEAD')).toBe(head);
    await copy.git('-C', 'copy', 'fsck', '--connectivity-only');
  });

  it('fetches shallow histories as requested, and the rest later', async () => {
    const copy = place();
    await copy.git('clone', '--quiet', '--depth', '2', url(), '.');
    expect(await copy.git('rev-list', '--count', 'HEAD')).toBe('2');
    await copy.git('fetch', '--quiet', '--unshallow');
    expect(await copy.git('rev-list', '--count', 'HEAD')).toBe('5');
  });

  it('omits blobs until they are needed', async () => {
    const copy = place();
    await copy.git('clone', '--quiet', '--no-checkout', '--filter=blob:none', url(), '.');
    expect(await copy.git('rev-list', '--objects', '--missing=print', 'HEAD')).toContain('?');
    expect(await copy.git('show', 'HEAD:a.txt')).toBe('4');
  });

  it('refuses several filters at once: a few small trees in each other could keep git busy for hours', async () => {
    const copy = place();
    const filters = ['--filter=blob:none', '--filter=tree:1'];
    for (const filter of filters)
      expect((await copy.run(['clone', '--bare', filter, url(), filter.slice(-4)])).code).toBe(0);
    const { code, stderr } = await copy.run(['clone', '--bare', ...filters, url(), 'both']);
    expect([code, stderr]).toEqual([
      128,
      expect.stringContaining("filter 'combine' not supported") as unknown as string,
    ]);
  });

  it('refuses filters with which git looks at each path, or at trees again and again', async () => {
    const copy = place();
    const patterns = (await source.run(['hash-object', '-w', '--stdin'], {}, '/nothing\n')).stdout.trim();
    await source.run(['push', url(), `${patterns}:refs/tags/patterns`]);
    for (const filter of ['blob:none', 'blob:limit=1k', 'object:type=commit', 'tree:0', 'tree:100'])
      expect([
        filter,
        (await copy.run(['clone', '--bare', `--filter=${filter}`, url(), filter.replace(':', '-')])).code,
      ]).toEqual([filter, 0]);
    for (const [filter, said] of [
      [`sparse:oid=${patterns}`, "filter 'sparse:oid' not supported"],
      ['tree:101', 'tree filter allows max depth 100'],
    ] as const) {
      const { code, stderr } = await copy.run(['clone', '--bare', `--filter=${filter}`, url(), 'refused']);
      expect([filter, code, stderr]).toEqual([filter, 128, expect.stringContaining(said)]);
    }
  });

  it('follows redirects from the URL without .git', async () => {
    const copy = place();
    const { code, stderr } = await copy.run(['clone', url().replace(/\.git$/, ''), 'copy']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('redirecting to') as unknown as string]);
    expect(existsSync(join(copy.path, 'copy/a.txt'))).toBe(true);
  });

  it('sends long negotiations compressed', async () => {
    const copy = place();
    await copy.git('clone', '--quiet', url(), '.');
    for (let number = 0; number < 80; number += 1)
      await copy.git('commit', '--quiet', '--allow-empty', '-m', `n${number}`);
    const next = await source.commit({ 'b.txt': 'new' });
    const repository = await seedRepository(api, projectRepository(project.id), source);
    expect(repository.path).not.toBe('');
    const { code, stderr } = await copy.run(['fetch', 'origin', 'main'], {
      GIT_TRACE_CURL: '1',
      GIT_TRACE_CURL_NO_DATA: '1',
    });
    expect([code, stderr.toLowerCase().includes('content-encoding: gzip')]).toEqual([0, true]);
    expect(await copy.git('rev-parse', 'FETCH_HEAD')).toBe(next);
    head = next;
  });

  it('of an empty project gives an empty repository', async () => {
    const empty = await buildProject(api.root, { default_branch: 'trunk' });
    const copy = place();
    const { code, stderr } = await copy.run([
      'clone',
      gitUrl(api, `/${empty.path_with_namespace}.git`, ROOT),
      '.',
    ]);
    expect([code, stderr]).toEqual([
      0,
      expect.stringContaining('warning: You appear to have cloned an empty repository.') as unknown as string,
    ]);
  });

  it('asks for credentials, and reports errors', async () => {
    const copy = place();
    const nobody = await copy.run(['clone', url(null), 'copy']);
    expect([nobody.code, nobody.stderr]).toEqual([
      128,
      expect.stringContaining('could not read Username') as unknown as string,
    ]);
    const wrong = await copy.run(['clone', url(['x', `glpat-${'0'.repeat(20)}`]), 'copy']);
    expect([wrong.code, wrong.stderr]).toEqual([
      128,
      expect.stringContaining('remote: HTTP Basic: Access denied.') as unknown as string,
    ]);
    const missing = await copy.run(['clone', gitUrl(api, '/root/nothing.git', ROOT), 'copy']);
    expect(missing.stderr).toContain('remote: The project you were looking for could not be found');
  });

  it('by the old path of a renamed project reports the new one', async () => {
    const renamed = await buildProject(api.root, { path: 'former' });
    await seedRepository(api, projectRepository(renamed.id), source);
    await api.root.put(`/projects/${renamed.id}`, { path: 'present' });
    for (const version of [0, 2]) {
      const copy = place();
      const from = gitUrl(api, '/root/former.git', ROOT);
      const { code, stderr } = await copy.run(['-c', `protocol.version=${version}`, 'clone', from, '.']);
      expect([code, stderr]).toEqual([
        0,
        expect.stringContaining(
          "remote: Project 'root/former' was moved to 'root/present'.",
        ) as unknown as string,
      ]);
      expect(await copy.git('rev-parse', 'HEAD')).toBe(head);
    }
    const pushed = await source.run(['push', gitUrl(api, '/root/former.git', ROOT), 'main:refs/heads/other']);
    expect([pushed.code, pushed.stderr]).toEqual([
      0,
      expect.stringContaining(
        "remote: Project 'root/former' was moved to 'root/present'.",
      ) as unknown as string,
    ]);
  });

  it('gives no access to the disk of the server through the content of a repository', async () => {
    const evil = await new WorkingCopy().init();
    copies.push(evil);
    symlinkSync('/etc/passwd', join(evil.path, 'passwd'));
    await evil.commit({ 'x.txt': 'x' });
    const target = await buildProject(api.root);
    const to = gitUrl(api, `/${target.path_with_namespace}.git`, ROOT);
    await evil.git('push', '--quiet', to, 'main');
    const copy = place();
    await copy.git('-c', 'core.symlinks=false', 'clone', '--quiet', to, '.');
    expect(readFileSync(join(copy.path, 'passwd'), 'utf8')).toBe('/etc/passwd');
    rmSync(join(copy.path, 'passwd'));
  });
});
