import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';
import { basicHeader, packet, postPack, type Login } from '../../../support/git-http.js';
import { HeldRequest } from '../../../support/held-request.js';

const ROOT: Login = ['root', ROOT_TOKEN];

/** Lists of refs that fill the 64 MiB which all requests together may use, as far as there is room for them: bytes and count. */
const LISTS = [
  [15_000_000, 4],
  [1_000_000, 8],
  [400_000, 4],
] as const;

let api: TestApi;
beforeAll(async () => {
  api = await startApi({ LOG_LEVEL: 'silent' });
});
afterAll(() => api.close());

it('a client that does not end its lists of refs leaves memory for the others', async () => {
  const project = await buildProject(api.root);
  const path = `/${project.path_with_namespace}.git`;
  const work = await new WorkingCopy().init();
  const head = await work.commit({ 'a.txt': 'one' });
  await seedRepository(api, projectRepository(project.id), work);
  const command = packet(`${'0'.repeat(40)} ${'1'.repeat(40)} refs/heads/${'x'.repeat(49_900)}`);
  const held: HeldRequest[] = [];
  for (const [bytes, count] of LISTS) {
    const body = command.repeat(bytes / 50_000);
    const headers = {
      ...basicHeader(ROOT),
      'Content-Type': 'application/x-git-receive-pack-request',
      'Content-Length': String(body.length + 1_000),
    };
    const target = `POST ${path}/git-receive-pack`;
    const begun = Array.from({ length: count }, () =>
      HeldRequest.begin(api.url, target, headers, { body, from: '127.0.0.2' }),
    );
    held.push(...(await Promise.all(begun)));
    await Promise.all(held.slice(-count).map((request) => request.isHeld(1_500)));
  }
  expect(await Promise.all(held.map((request) => request.isHeld(0)))).toContain(true);

  const haves = Array.from({ length: 18_000 }, (_, index) =>
    packet(`have ${index.toString(16).padStart(40, 'a')}\n`),
  );
  const negotiation = `${packet(`want ${head}\n`)}0000${haves.join('')}${packet('done\n')}`;
  const { status } = await postPack(api, path, 'upload', negotiation, ROOT);
  for (const request of held) request.leave();
  work.remove();
  expect(status).toBe(200);
});
