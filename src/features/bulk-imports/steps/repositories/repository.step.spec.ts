import { createServer, type Server } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Tier } from '#kernel/access/roles.js';
import type { SettingsService } from '#core/instance/settings/settings.service.js';
import { git } from '#core/repositories/git/git.js';
import type { StepRun } from '../../engine/entity-step.js';
import { ImportLimits } from '../../engine/import-limits.js';
import { Turn } from '../../engine/records/turn.js';
import { SourceBusy, SourceRefused } from '../../source/source-errors.js';
import { RepositoryStep } from './repository.step.js';
import { SnippetsStep } from './snippets.step.js';

const REFUSED = new SourceRefused('The source instance refuses its repository', 403);
const settings = { tier: Tier.Ultimate } as SettingsService;
const copies = new RepositoryStep(
  ...([{}, {}, {}, settings] as unknown as ConstructorParameters<typeof RepositoryStep>),
);

/** Creates a run whose source rejects the wiki, and returns `answer` for the project. */
const runOf = (answer: () => Promise<object>): StepRun =>
  ({
    entity: { of: 'project', sourceId: 7, sourceFullPath: 'a/b' },
    target: () => Promise.resolve({ of: 'project', ownerId: 1 }),
    source: { gitAccess: () => Promise.reject(REFUSED), get: answer },
  }) as unknown as StepRun;

describe('a wiki that the source refuses to serve', () => {
  it('is skipped if the project can be read', async () => {
    await expect(copies.wiki(runOf(() => Promise.resolve({ id: 7 })))).resolves.toBeUndefined();
  });

  it('is a failure if nothing can be read', async () => {
    await expect(copies.wiki(runOf(() => Promise.reject(REFUSED)))).rejects.toThrow(REFUSED);
  });
});

const packet = (text: string): string => `${(text.length + 4).toString(16).padStart(4, '0')}${text}`;

/** What git asks first: the list of a branch. */
const LISTED = [
  packet('# service=git-upload-pack\n'),
  '0000',
  packet(`${'1'.repeat(40)} HEAD\0symref=HEAD:refs/heads/main\n`),
  packet(`${'1'.repeat(40)} refs/heads/main\n`),
  '0000',
].join('');

describe('code that the source lists, and then does not send', () => {
  let folder: string;
  let server: Server;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'listed-'));
    await git(null, ['init', '--quiet', '--bare', '--', folder]);
    server = createServer((request, response) => {
      const isList = request.url?.includes('/info/refs') === true;
      const type = isList ? 'application/x-git-upload-pack-advertisement' : 'text/plain';
      response.writeHead(isList ? 200 : 404, { 'Content-Type': type }).end(isList ? LISTED : '');
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true, force: true });
  });

  it('is not taken for imported', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b.git`;
    const access = { url, config: ['-c', 'protocol.http.allow=always'], env: {} };
    const services = [
      { ensure: () => Promise.resolve({ path: folder }) },
      { whileWritable: (_repository: object, work: () => Promise<void>) => work() },
      {},
      { values: { receive_max_input_size: 100 } },
    ];
    const step = new RepositoryStep(...(services as unknown as ConstructorParameters<typeof RepositoryStep>));
    const run = {
      entity: { of: 'project', sourceId: 7, sourceFullPath: 'a/b' },
      target: () => Promise.resolve({ of: 'project', ownerId: 1 }),
      source: { gitAccess: () => Promise.resolve(access) },
      signal: new AbortController().signal,
      assertAllowed: () => Promise.resolve(),
    } as unknown as StepRun;
    await expect(step.code(run)).rejects.toBeInstanceOf(SourceBusy);
  });

  it('is not taken for imported if it is that of a snippet', async () => {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/a/b.git`;
    const access = { url, config: ['-c', 'protocol.http.allow=always'], env: {} };
    const services = [
      { one: () => Promise.resolve(null), long: () => Promise.resolve([{ id: 1, isSure: true }]) },
      { whileWritable: (_repository: object, work: () => Promise<void>) => work() },
      { open: () => Promise.resolve({ path: folder }) },
    ];
    const step = new SnippetsStep(...(services as unknown as ConstructorParameters<typeof SnippetsStep>));
    const run = {
      entity: { of: 'project', id: 1, sourceId: 7, sourceFullPath: 'a/b' },
      source: { gitAccess: () => Promise.resolve(access), pages: () => [[{ id: 5, title: 'One' }]] },
      signal: new AbortController().signal,
      turn: new Turn(new ImportLimits(), 0),
      assertAllowed: () => Promise.resolve(),
    } as unknown as StepRun;
    await expect(step.run(run)).rejects.toBeInstanceOf(SourceBusy);
  });
});
