import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, renameSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { DomainEvents } from '#kernel/events/domain-events.js';
import type { RefChange } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { narrow, restoreLimits } from '../../../support/git-limits.js';
import { GitLimit } from '#features/git-http/packs/git.limit.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import {
  askRefs,
  basicHeader,
  packet,
  postPack,
  pushBody,
  type GitReply,
  type Login,
} from '../../../support/git-http.js';
import { until } from '../../../support/until.js';

const ROOT: Login = ['root', ROOT_TOKEN];
const MEBIBYTE = 1024 * 1024;

let api: TestApi;
let limits: GitLimit;
let path: string;
let pushed: RefChange[] = [];
let repositoryPath: string;
let work: WorkingCopy;
let head: string;
let refused: string[] = [];

beforeAll(async () => {
  api = await startApi();
  limits = api.app.get(GitLimit, { strict: false });
  const project = await buildProject(api.root);
  api.app
    .get(DomainEvents, { strict: false })
    .on(RefsPushed, ({ changes }) => Promise.resolve(void pushed.push(...changes)));
  path = `/${project.path_with_namespace}.git`;
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': 'one' });
  ({ path: repositoryPath } = await seedRepository(api, projectRepository(project.id), work));
  head = await work.commit({ 'b.txt': 'two'.repeat(100_000) });
  api.app.get(PushRulesRegistry, { strict: false }).register(({ changes }) => {
    const found = changes.filter(({ ref }) => ref.includes('forbidden'));
    refused.push(...found.map(({ ref }) => ref));
    return found.length > 0 ? 'This branch is not yours.' : null;
  });
});
afterAll(async () => {
  work.remove();
  await api.close();
});
afterEach(async () => {
  Object.assign(limits, new GitLimit());
  restoreLimits();
  [refused, pushed] = [[], []];
  await nothingLeft();
});

const running = (): Promise<unknown[]> => api.sql('select 1 from running_pushes');
const quarantines = (): string[] =>
  readdirSync(join(repositoryPath, 'objects')).filter((name) => name.startsWith('tmp'));
const refs = (): string => execFileSync('git', ['-C', repositoryPath, 'for-each-ref'], { encoding: 'utf8' });

async function nothingLeft(): Promise<void> {
  await until(async () => (await running()).length === 0 && quarantines().length === 0);
  expect(refs()).not.toContain('evil');
  expect(refs()).not.toContain('forbidden');
}

describe('invalid URLs', () => {
  it.each([
    '/../../etc/passwd',
    '/root/../root/project.git',
    '/root/%2e%2e/x.git',
    '/root%2Fproject.git',
    '/root/.git',
    '/.git',
    '/root//project.git',
    '/-root/project.git',
    '/root/project.git/x.git',
    `/${'a/'.repeat(500)}b.git`,
    '/snippets/99999999999999999999.git',
    '/snippets/-1.git',
    '/root/project/snippets/1e3.git',
  ])('are not found: %s', async (url) => {
    const known = await askRefs(api, url, 'upload', ROOT);
    // Without the suffix, once fetch has normalized the dots, they are only redirected to the form with it.
    if (known.status === 301) return;
    expect([url, known.status]).toEqual([url, 404]);
    expect((await askRefs(api, url, 'upload')).status).toBe(401);
    expect((await postPack(api, url, 'receive', '0000', ROOT)).status).toBe(404);
  });

  it('with a NUL are refused before anything else', async () => {
    expect((await askRefs(api, '/root/a%00.git', 'upload', ROOT)).status).toBe(400);
  });

  it('in the API, among pages and for other files of git do not exist', async () => {
    for (const url of ['/api/v4/x.git', '/-/x.git'])
      expect((await askRefs(api, url, 'upload', ROOT)).status).toBe(404);
    expect((await postPack(api, '/root/project', 'upload', '0000', ROOT)).status).toBe(404);
    expect((await fetch(`${api.url}${path}/info/refs`, { method: 'DELETE' })).status).toBe(404);
    expect((await fetch(`${api.url}${path}/HEAD`)).status).toBe(404);
    expect((await fetch(`${api.url}${path}/objects/info/packs`)).status).toBe(404);
  });
});

describe('malformed credentials', () => {
  it.each([
    ['no colon', `Basic ${Buffer.from('rootx').toString('base64')}`, 401],
    ['no base64', 'Basic ***', 401],
    ['nothing', 'Basic', 401],
    ['NUL', `Basic ${Buffer.from('root:a\0b').toString('base64')}`, 401],
    ['5 KB', `Basic ${'A'.repeat(5_000)}`, 401],
    ['half a character', `Basic ${Buffer.from([0x72, 0x3a, 0xff, 0xfe]).toString('base64')}`, 401],
    ['70 KB', `Basic ${'A'.repeat(70_000)}`, 431],
  ])('are ignored: %s', async (_name, header, status) => {
    expect((await askRefs(api, path, 'upload', null, { Authorization: header })).status).toBe(status);
  });
});

describe('malformed bodies', () => {
  it('are refused by their type', async () => {
    for (const header of [{ 'Content-Type': 'text/plain' }, { 'Content-Encoding': 'br' }])
      for (const service of ['upload', 'receive'] as const)
        expect((await postPack(api, path, service, '0000x', ROOT, header)).status).toBe(415);
  });

  it.each(['garbage', 'fffe', '0005x', '0032want nonsense', '\0\0\0\0', '00000000', `0009done\n`])(
    'get a response without paths of the server: %j',
    async (body) => {
      for (const service of ['upload', 'receive'] as const) {
        const answer = await postPack(api, path, service, body, ROOT);
        expect([200, 400]).toContain(answer.status);
        expect(answer.text).not.toContain(repositoryPath);
        expect(answer.text).not.toContain('/tmp');
      }
    },
  );

  it('do not inflate beyond the memory limit', async () => {
    const bomb = gzipSync(Buffer.alloc(64 * MEBIBYTE));
    const lines = gzipSync(Buffer.from(packet(`have ${'1'.repeat(40)}\n`).repeat(800_000)));
    const before = process.memoryUsage().rss;
    for (const body of [bomb, lines])
      for (const service of ['upload', 'receive'] as const) {
        const answer = await postPack(api, path, service, body, ROOT, { 'Content-Encoding': 'gzip' });
        expect([400, 413]).toContain(answer.status);
      }
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * MEBIBYTE);
    const broken = await postPack(api, path, 'upload', 'no gzip at all', ROOT, {
      'Content-Encoding': 'gzip',
    });
    expect(broken.status).toBe(400);
  });

  it('may not name more refs than git can hold', async () => {
    limits.commandBytes = 64 * 1024;
    const many = Array.from({ length: 2_000 }, (_, number) =>
      packet(`${'0'.repeat(40)} ${head} refs/heads/evil-${number}`),
    );
    expect((await postPack(api, path, 'receive', `${many.join('')}0000`, ROOT)).status).toBe(413);
    const options = packet('x'.repeat(60_000)).repeat(3);
    const body = pushBody(work, 'refs/heads/evil', head, `${options}0000`);
    expect((await postPack(api, path, 'receive', body, ROOT)).status).toBe(413);
  });

  it('may not be larger than the instance allows', async () => {
    await api.root.put('/application/settings', { receive_max_input_size: 1 });
    const fat = await work.commit({
      'fat.bin': Array.from({ length: 300_000 }, () => Math.random()).join(''),
    });
    const answer = await postPack(api, path, 'receive', pushBody(work, 'refs/heads/evil', fat), ROOT);
    await api.root.put('/application/settings', { receive_max_input_size: 5_120 });
    expect(answer.text).toContain('pack exceeds maximum allowed size');
    expect(answer.text).not.toContain(repositoryPath);
  });
});

describe('pushes that imitate our hook', () => {
  it('fail with line breaks in options', async () => {
    const option = packet('x\nend\nchange');
    const body = pushBody(work, 'refs/heads/forbidden', head, `${option}0000`);
    const answer = await postPack(api, path, 'receive', body, ROOT);
    expect(answer.text).toContain('This branch is not yours.');
    expect(refused).toEqual(['refs/heads/forbidden']);
  });

  it('fail with line breaks or invalid UTF-8 in names', async () => {
    for (const name of ['refs/heads/evil\nend', 'refs/heads/evil\nobjects /tmp', 'refs/heads/evil-?']) {
      const body = pushBody(work, name, head);
      const mark = body.indexOf('-?');
      if (mark >= 0) body[mark + 1] = 0xff;
      const answer = await postPack(api, path, 'receive', body, ROOT);
      expect([name, answer.text.includes('\nok ') || answer.text.includes('ok refs')]).toEqual([name, false]);
    }
    expect(refs().trim().split('\n')).toHaveLength(1);
  });

  it('fail with too many options', async () => {
    const options = packet('x').repeat(60);
    const answer = await postPack(
      api,
      path,
      'receive',
      pushBody(work, 'refs/heads/evil', head, `${options}0000`),
      ROOT,
    );
    expect(answer.text).toContain('the push options, cannot be read');
  });
});

describe('pushes that remove a ref as if it did not exist', () => {
  const none = '0'.repeat(40);
  const remove = (name: string): Promise<GitReply> =>
    postPack(api, path, 'receive', `${packet(`${none} ${none} ${name}\0report-status`)}0000`, ROOT);
  const make = (name: string): void =>
    void execFileSync('git', ['-C', repositoryPath, 'update-ref', name, 'refs/heads/main']);

  it('do not remove the ref against the rules', async () => {
    make('refs/heads/forbidden');
    try {
      const { text } = await remove('refs/heads/forbidden');
      expect(text).toContain('ng refs/heads/forbidden');
      expect(refused).toEqual(['refs/heads/forbidden']);
      expect(refs()).toContain('forbidden');
    } finally {
      execFileSync('git', ['-C', repositoryPath, 'update-ref', '-d', 'refs/heads/forbidden']);
    }
  });

  it('are processed with the current value of the ref, if allowed', async () => {
    make('refs/heads/old');
    const before = execFileSync('git', ['-C', repositoryPath, 'rev-parse', 'main'], { encoding: 'utf8' });
    for (const time of ['first', 'second'])
      expect([time, (await remove('refs/heads/old')).text]).toEqual([
        time,
        expect.stringContaining('ok refs'),
      ]);
    expect(pushed).toEqual([{ ref: 'refs/heads/old', before: before.trim(), after: none }]);
  });
});

describe('clients that disconnect during a long list of refs', () => {
  it('leave no slot occupied', async () => {
    const project = await buildProject(api.root);
    const seeded = await seedRepository(api, projectRepository(project.id), work);
    const names = Array.from({ length: 150_000 }, (_, index) => `${head} refs/heads/x/${index}\n`);
    writeFileSync(join(seeded.path, 'packed-refs'), names.toSorted().join(''));
    narrow('stream', { width: 1, share: 1, waitMs: 1_500 });
    const url = `${api.url}/${project.path_with_namespace}.git/info/refs?service=git-receive-pack`;
    const headers = basicHeader(ROOT);
    for (const readsFor of [300, 400]) {
      const asked = get(url, { headers, agent: false }, (answer) => void answer.pause());
      asked.on('error', () => undefined);
      await sleep(readsFor);
      asked.destroy();
    }
    expect((await askRefs(api, path, 'receive', ROOT)).status).toBe(200);
  });
});

describe('a repository that is missing on disk', () => {
  it('is reported as unavailable, without details', async () => {
    renameSync(repositoryPath, `${repositoryPath}.away`);
    try {
      for (const answer of [
        await askRefs(api, path, 'upload', ROOT),
        await postPack(api, path, 'upload', '0014command=ls-refs\n0000', ROOT, {
          'Git-Protocol': 'version=2',
        }),
      ]) {
        expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '60']);
        expect(answer.text).toMatch(/^The repository is not available/);
      }
    } finally {
      renameSync(`${repositoryPath}.away`, repositoryPath);
    }
  });
});

describe('the metrics', () => {
  it('name routes, not repositories', async () => {
    const text = await (await fetch(`${api.url}/-/metrics`)).text();
    expect(text).toContain('route="/*repository/info/refs"');
    expect(text).toContain('route="/*repository/git-receive-pack"');
    expect(text).not.toContain('route="/root');
  });
});
