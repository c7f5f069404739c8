import { afterAll, afterEach, beforeAll, beforeEach, expect, it, jest } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { PushRulesRegistry } from '#core/repositories/pushes/push-rules.registry.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { RefsPushed } from '#core/repositories/pushes/refs-pushed.event.js';
import { SmallPushesService } from '#core/repositories/pushes/small/small-pushes.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { basicHeader, packet, postPack } from '../../../support/git-http.js';

const ROOT = ['root', ROOT_TOKEN] as const;

let api: TestApi;
let projectId: number;
let path: string;
let repositoryPath: string;
let work: WorkingCopy;
let first: string;
let second: string;
let events: RefsPushed[] = [];
let take: jest.SpiedFunction<SmallPushesService['take']>;
let refusal: string | null = null;

beforeAll(async () => {
  api = await startApi();
  const project = await buildProject(api.root);
  projectId = project.id;
  path = `/${project.path_with_namespace}.git`;
  work = await new WorkingCopy().init();
  first = await work.commit({ 'a.txt': 'one' }, 'First');
  ({ path: repositoryPath } = await seedRepository(api, projectRepository(projectId), work));
  second = await work.commit({ 'b.txt': 'two' }, 'Second');
  api.app.get(DomainEvents, { strict: false }).on(RefsPushed, (event) => void events.push(event));
  api.app.get(PushRulesRegistry, { strict: false }).register(() => refusal);
});
beforeEach(async () => {
  await work.git('reset', '--quiet', '--hard', second);
  take = jest.spyOn(api.app.get(SmallPushesService, { strict: false }), 'take');
  [events, refusal] = [[], null];
});
afterEach(async () => {
  take.mockRestore();
  expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  expect(readdirSync(join(repositoryPath, 'objects')).filter((name) => name.startsWith('tmp'))).toEqual([]);
});
afterAll(async () => {
  work.remove();
  await api.close();
});

interface Sent extends RefChange {
  /** Ids of the objects in the pack. */
  readonly objects: readonly string[];
  readonly words?: string;
  readonly options?: readonly string[];
  readonly spoil?: (pack: Buffer) => Buffer;
}

const objectsOf = async (...revisions: string[]): Promise<string[]> =>
  (await work.git('rev-list', '--objects', ...revisions)).split('\n').map((line) => line.slice(0, 40));

function bodyOf({
  ref,
  before,
  after,
  objects,
  words = 'quiet',
  options,
  spoil = (pack) => pack,
}: Sent): Buffer {
  const pack = execFileSync('git', ['pack-objects', '--stdout', '-q'], {
    cwd: work.path,
    input: objects.map((id) => `${id}\n`).join(''),
  });
  const said = `report-status-v2 side-band-64k object-format=sha1 ${words}${options ? ' push-options' : ''}`;
  const told = options ? `${options.map(packet).join('')}0000` : '';
  return Buffer.concat([
    Buffer.from(`${packet(`${before} ${after} ${ref}\0 ${said}`)}0000${told}`),
    spoil(pack),
  ]);
}

/** Git handles chunked bodies, because their length is unknown. */
function postInPieces(body: Buffer): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'Content-Type': 'application/x-git-receive-pack-request', ...basicHeader(ROOT) };
    const sending = request(`${api.url}${path}/git-receive-pack`, { method: 'POST', headers }, (response) =>
      resolve(text(response)),
    );
    sending.on('error', reject);
    sending.write(body.subarray(0, 20));
    sending.end(body.subarray(20));
  });
}

/**
 * Pushes the same both ways, to refs whose names differ in one letter; returns the responses without their
 * variable parts.
 */
async function bothWays(of: (name: string) => Sent): Promise<{ small: string; whole: string }> {
  const plain = (answer: string): string => answer.replace(/branch-[sw]/g, 'branch');
  const small = await postPack(api, path, 'receive', bodyOf(of('branch-s')), ROOT);
  expect(take).toHaveBeenCalledTimes(1);
  const whole = await postInPieces(bodyOf(of('branch-w')));
  expect(take).toHaveBeenCalledTimes(1);
  return { small: plain(small.text), whole: plain(whole) };
}

const reported = (answer: string): string[] =>
  [...answer.matchAll(/[0-9a-f]{4}((?:unpack|ok|ng) [^\n]+)/g)].map(([, line = '']) => line);
const refs = (): string =>
  execFileSync('git', ['-C', repositoryPath, 'for-each-ref', '--format=%(objectname) %(refname)'], {
    encoding: 'utf8',
  });
const wasSmall = async (): Promise<boolean> => (await take.mock.results[0]?.value) !== null;

it('a small push gets the same response as from git, with the same effects', async () => {
  const objects = await objectsOf(second, `^${first}`);
  const { small, whole } = await bothWays((name) => ({
    ...{ ref: `refs/heads/${name}`, before: NO_OBJECT, after: second, objects, words: '' },
    options: ['ci.skip', 'merge_request.create'],
  }));
  expect(await wasSmall()).toBe(true);
  expect(small).toBe(whole);
  expect(small).toContain('The push option merge_request.create is not supported');
  expect(events.map(({ changes, payloads, pushOptions }) => ({ changes, payloads, pushOptions }))).toEqual(
    ['s', 'w'].map((letter) => ({
      changes: [{ ref: `refs/heads/branch-${letter}`, before: NO_OBJECT, after: second }],
      payloads: [
        expect.objectContaining({ action: 'created', ref: `branch-${letter}`, commit_title: 'Second' }),
      ],
      pushOptions: ['ci.skip', 'merge_request.create'],
    })),
  );
  expect(refs()).toContain(`${second} refs/heads/branch-s\n${second} refs/heads/branch-w`);
  execFileSync('git', ['-C', repositoryPath, 'fsck', '--strict', '--connectivity-only']);
});

it('a small push moves existing refs, with deltas against existing objects, and tags existing objects', async () => {
  const third = await work.commit({ 'a.txt': `${'a long line\n'.repeat(200)}one` }, 'Third');
  const fourth = await work.commit({ 'a.txt': `${'a long line\n'.repeat(200)}two` }, 'Fourth');
  const send = async (sent: Sent): Promise<string[]> =>
    reported((await postPack(api, path, 'receive', bodyOf(sent), ROOT)).text);
  const main = { ref: 'refs/heads/main', objects: await objectsOf(third, `^${first}`) };
  expect(await send({ ...main, before: first, after: third })).toEqual(['unpack ok', 'ok refs/heads/main']);
  // Packed refs and objects are only moved by git.
  execFileSync('git', ['-C', repositoryPath, 'pack-refs', '--all']);
  const thin = execFileSync('git', ['pack-objects', '--stdout', '--thin', '--revs', '-q'], {
    cwd: work.path,
    input: `${fourth}\n^${third}\n`,
  });
  const moved = { ref: 'refs/heads/main', before: third, after: fourth, objects: [] };
  expect(await send({ ...moved, spoil: () => thin })).toEqual(['unpack ok', 'ok refs/heads/main']);
  expect(await send({ ref: 'refs/tags/v1', before: NO_OBJECT, after: third, objects: [] })).toEqual([
    'unpack ok',
    'ok refs/tags/v1',
  ]);
  for (const { value } of take.mock.results) expect(await value).toMatchObject({ is: 'done' });
  expect(take).toHaveBeenCalledTimes(3);
  expect(execFileSync('git', ['-C', repositoryPath, 'show', 'main:a.txt'], { encoding: 'utf8' })).toMatch(
    /two$/,
  );
});

it('a small push is refused by a rule with the same text as by git', async () => {
  refusal = 'Not today.\nNever.';
  const objects = await objectsOf(second, `^${first}`);
  const { small, whole } = await bothWays((name) => ({
    ...{ ref: `refs/heads/${name}-no`, before: NO_OBJECT, after: second, objects },
  }));
  expect(small).toBe(whole);
  expect(small).toContain('Forgeplane: Not today. Never.');
  expect([events, refs()]).toEqual([[], expect.not.stringContaining('-no')]);
});

it('a small push is refused while its repository is being moved', async () => {
  const moving = (is: boolean): Promise<unknown> =>
    api.sql('update projects set repository_read_only = $2 where id = $1', [projectId, is]);
  await moving(true);
  const { small, whole } = await bothWays((name) => ({
    ...{ ref: `refs/heads/${name}-late`, before: NO_OBJECT, after: first, objects: [] },
  }));
  await moving(false);
  expect(small).toBe(whole);
  expect(reported(small)).toContain('ng refs/heads/branch-late pre-receive hook declined');
});

it.each<[string, (name: string) => Promise<Sent>]>([
  [
    'a ref with another value than the stated one',
    (name) => Promise.resolve({ ref: `refs/heads/${name}`, before: first, after: second, objects: [] }),
  ],
  [
    'a ref below another one',
    (name) =>
      Promise.resolve({ ref: `refs/heads/main/${name}`, before: NO_OBJECT, after: first, objects: [] }),
  ],
  [
    'a branch of something that is no commit',
    async (name) => {
      const after = await work.git('rev-parse', `${first}^{tree}`);
      return { ref: `refs/heads/${name}-tree`, before: NO_OBJECT, after, objects: [] };
    },
  ],
  [
    'objects that are not there',
    async (name) => {
      const after = await work.commit({ 'c.txt': name }, name);
      return { ref: `refs/heads/${name}-missing`, before: NO_OBJECT, after, objects: [after] };
    },
  ],
  [
    'an object that nobody has',
    (name) =>
      Promise.resolve({ ref: `refs/heads/${name}-x`, before: NO_OBJECT, after: 'a'.repeat(40), objects: [] }),
  ],
  [
    'a broken pack',
    async (name) => {
      const after = await work.commit({ 'd.txt': name }, name);
      const objects = await objectsOf(after, `^${first}`);
      const spoil = (pack: Buffer): Buffer => pack.fill(0, pack.length - 5);
      return { ref: `refs/heads/${name}-broken`, before: NO_OBJECT, after, objects, spoil };
    },
  ],
  [
    'content that git does not trust',
    async (name) => {
      const evil = `[submodule "${name}"]\n\tpath = x\n\turl = -u./payload\n`;
      const after = await work.commit({ '.gitmodules': evil }, name);
      const objects = await objectsOf(after, `^${first}`);
      return { ref: `refs/heads/${name}-evil`, before: NO_OBJECT, after, objects };
    },
  ],
])('a small push leaves %s alone, with the same response as git', async (_what, of) => {
  const before = refs();
  const sent = new Map([
    ['branch-s', await of('branch-s')],
    ['branch-w', await of('branch-w')],
  ]);
  const { small, whole } = await bothWays((name) => sent.get(name) as Sent);
  const withoutIds = (lines: string[]): string[] => lines.map((line) => line.replace(/[0-9a-f]{40}/g, 'id'));
  expect(withoutIds(reported(small))).toEqual(withoutIds(reported(whole)));
  expect(reported(small).join()).toContain('ng refs/heads/');
  expect([refs(), events]).toEqual([before, []]);
});

it('a small push waits for a locked ref as git does, and is then refused', async () => {
  const [, before = ''] = /^([0-9a-f]{40}) refs\/heads\/held$/m.exec(await heldBranch()) ?? [];
  const after = await work.commit({ 'held.txt': 'more' });
  const lock = join(repositoryPath, 'refs/heads/held.lock');
  writeFileSync(lock, '');
  const moved = { ref: 'refs/heads/held', before, after, objects: await objectsOf(after, `^${before}`) };
  const late = await postPack(api, path, 'receive', bodyOf(moved), ROOT);
  expect(reported(late.text)).toEqual(['unpack ok', 'ng refs/heads/held failed to update ref']);
  rmSync(lock);
  const done = await postPack(api, path, 'receive', bodyOf(moved), ROOT);
  expect(reported(done.text)).toEqual(['unpack ok', 'ok refs/heads/held']);
  expect(refs()).toContain(`${after} refs/heads/held`);
});

async function heldBranch(): Promise<string> {
  const after = await work.commit({ 'held.txt': 'one' });
  const made = {
    ref: 'refs/heads/held',
    before: NO_OBJECT,
    after,
    objects: await objectsOf(after, `^${first}`),
  };
  await postPack(api, path, 'receive', bodyOf(made), ROOT);
  return refs();
}

it('a push is left to git if it removes refs, has several refs, or has many objects', async () => {
  const many = await work.commit(
    Object.fromEntries(Array.from({ length: 120 }, (_, number) => [`many/${number}`, `${number}`])),
  );
  const objects = await objectsOf(many, `^${first}`);
  const made = { ref: 'refs/heads/many', before: NO_OBJECT, after: many, objects };
  expect((await postPack(api, path, 'receive', bodyOf(made), ROOT)).text).toContain('ok refs/heads/many');
  const line = (ref: string, words = ''): string => packet(`${many} ${NO_OBJECT} ${ref}${words}`);
  const removal = `${line('refs/heads/many', '\0 report-status side-band-64k')}0000`;
  expect((await postPack(api, path, 'receive', removal, ROOT)).text).toContain('ok refs/heads/many');
  expect(take).not.toHaveBeenCalled();
});
