import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shaOf } from '../support/builders/deployment.js';
import { inParallel, Installation, type Member } from '../support/installation.js';
import { createTestRedis, describeWithRedis, type TestRedis } from '../support/redis.js';

const AT_ONCE = 50;

describeWithRedis('fifty simultaneous requests, through two api processes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forgeplane-races-'));
  let redis: TestRedis | undefined;
  let installation: Installation;
  let apis: readonly [Member, Member];
  beforeAll(async () => {
    redis = await createTestRedis();
    installation = await Installation.create({ redisUrl: redis?.url });
    const shared = { REPOSITORY_STORAGES: `default=${folder}` };
    apis = [await installation.start('api', shared), await installation.start('api', shared)];
  });
  afterAll(async () => {
    await installation.close();
    await redis?.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  const through = (number: number): Member['client'] => (apis[number % 2] ?? apis[0]).client;

  it('deploy to one new environment: one environment, and no number is repeated or skipped', async () => {
    const project = await apis[0].client.post<{ id: number }>('/projects', { name: 'Race' });
    const { id } = project.body;
    const answers = await inParallel(AT_ONCE, (number) =>
      through(number).post<{ iid: number; environment: { id: number } }>(`/projects/${id}/deployments`, {
        environment: 'review/race',
        sha: shaOf(number),
        ref: 'main',
        tag: false,
        status: 'success',
      }),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    const iids = answers.map(({ body }) => body.iid).sort((a, b) => a - b);
    expect(iids).toEqual(Array.from({ length: AT_ONCE }, (_, index) => index + 1));
    expect(new Set(answers.map(({ body }) => body.environment.id)).size).toBe(1);
    expect(await installation.count('select count(*) from environments where project_id = $1', [id])).toBe(1);
    expect(await installation.count('select count(*) from deployments where project_id = $1', [id])).toBe(
      AT_ONCE,
    );
  });

  it('commit to one branch: each waits for the others, and none is lost', async () => {
    const { id } = (await apis[0].client.post<{ id: number }>('/projects', { name: 'One branch' })).body;
    const commit = (number: number): ReturnType<Member['client']['post']> =>
      through(number).post(`/projects/${id}/repository/commits`, {
        branch: 'main',
        commit_message: `Commit ${number}`,
        actions: [{ action: 'create', file_path: `${number}.txt`, content: 'x' }],
      });
    expect((await commit(0)).status).toBe(201);
    const answers = await inParallel(AT_ONCE, (number) => commit(number));
    expect(answers.map(({ status }) => status)).toEqual(Array(AT_ONCE).fill(201));
    const tree = await apis[0].client.get<unknown[]>(`/projects/${id}/repository/tree?per_page=100`);
    expect(tree.body).toHaveLength(AT_ONCE + 1);
  });

  it('create the same user, group or project: only one succeeds', async () => {
    const user = {
      username: 'racer',
      name: 'Racer',
      email: 'racer@example.com',
      force_random_password: true,
    };
    const cases: [string, (number: number) => Record<string, unknown>, number][] = [
      ['/users', () => user, 409],
      ['/users', (number) => ({ ...user, username: 'other', email: `racer${number}@example.com` }), 409],
      ['/groups', () => ({ name: 'Racers', path: 'racers' }), 400],
      ['/projects', () => ({ name: 'Raced' }), 400],
    ];
    for (const [path, body, refusal] of cases) {
      const answers = await inParallel(AT_ONCE, (number) => through(number).post(path, body(number)));
      const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
      expect([path, statuses.filter((status) => status === 201)]).toEqual([path, [201]]);
      expect([path, statuses.filter((status) => status === refusal).length]).toEqual([path, AT_ONCE - 1]);
    }
    for (const api of apis) expect(api.output()).not.toMatch(/"level":"(error|fatal)"/);
  });
});
