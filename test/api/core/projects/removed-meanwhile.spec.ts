import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { DataSource, type QueryRunner } from 'typeorm';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildIssue } from '../../../support/builders/issue.js';
import type { Answer } from '../../../support/client.js';
import { CommitWorld } from '../../../support/commit-world.js';
import { untilBlocking, untilIdle } from '../../../support/lock-waits.js';

let world: CommitWorld;
let api: TestApi;
beforeAll(async () => {
  world = await CommitWorld.start();
  ({ api } = world);
});
afterAll(() => api.close());

/**
 * Runs an action while a write waits for a lock of another transaction, and returns the response to the
 * write.
 */
async function heldUp<T>(
  hold: string,
  write: () => Promise<Answer<T>>,
  meanwhile: (runner: QueryRunner) => Promise<unknown>,
): Promise<Answer<T>> {
  await untilIdle(api);
  const runner = api.app.get(DataSource).createQueryRunner();
  await runner.startTransaction();
  try {
    await runner.query(hold);
    const written = write();
    await untilBlocking(api, runner);
    await meanwhile(runner);
    await runner.commitTransaction();
    return await written;
  } finally {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
    await runner.release();
  }
}

interface Labelled {
  readonly id: number;
  readonly iid: number;
  readonly labels: string[];
}

it('keeps the other labels of an issue, an epic and a merge request if one is removed while they are changed', async () => {
  const { id: projectId } = world.project;
  const { id: groupId } = await buildGroup(api);
  const issue = await buildIssue(api.root, projectId, { labels: 'going' });
  const { body: epic } = await api.root.post<Labelled>(`/groups/${groupId}/epics`, {
    title: 'E',
    labels: 'going',
  });
  const branch = { branch: 'labelled', ref: 'main' };
  expect((await api.root.post(`${world.project.base}/branches`, branch)).status).toBe(201);
  const asked = { title: 'M', source_branch: 'labelled', target_branch: 'main', labels: 'going' };
  const { body: request } = await api.root.post<Labelled>(`/projects/${projectId}/merge_requests`, asked);
  const noteables = [
    ['issue_labels', `/projects/${projectId}/issues/${issue.iid}`],
    ['epic_labels', `/groups/${groupId}/epics/${epic.iid}`],
    ['merge_request_labels', `/projects/${projectId}/merge_requests/${request.iid}`],
  ] as const;
  for (const [table, path] of noteables) {
    await api.root.put(path, { labels: 'going' });
    const answer = await heldUp(
      `lock table ${table} in share mode`,
      () => api.root.put<Labelled>(path, { add_labels: 'staying' }),
      (runner) => runner.query(`delete from labels where title = 'going'`),
    );
    expect([answer.status, answer.body.labels]).toEqual([200, ['staying']]);
  }
});

it('returns 404 for a commit to a project that was just removed', async () => {
  await world.fresh();
  const answer = await heldUp(
    `select 1 from projects where id = ${world.project.id} for update`,
    () => world.commit([{ action: 'create', file_path: 'late.txt', content: 'late' }]),
    async (runner) => {
      await runner.query('update projects set pending_delete = true where id = $1', [world.project.id]);
      await runner.query(`delete from repositories where owner_type = 'Project' and owner_id = $1`, [
        world.project.id,
      ]);
    },
  );
  expect([answer.status, answer.body]).toEqual([404, { message: '404 Project Not Found' }]);
  await world.fresh();
});

it('returns 404 for a commit to a project that is removed in the meantime', async () => {
  await world.fresh();
  const answer = await heldUp(
    'lock table protected_refs in access exclusive mode',
    () => world.commit([{ action: 'create', file_path: 'late.txt', content: 'late' }]),
    (runner) =>
      runner.query(`delete from repositories where owner_type = 'Project' and owner_id = $1`, [
        world.project.id,
      ]),
  );
  expect([answer.status, answer.body]).toEqual([404, { message: '404 Project Not Found' }]);
  await world.fresh();
});

it.each([
  ['letters', 'x'.repeat(256)],
  ['letters of two bytes', 'é'.repeat(128)],
])('refuses names with path segments longer than a file name can be: %s', async (_, part) => {
  await world.fresh();
  const { base } = world.project;
  const named = `a/${part}`;
  const answers = [
    await world.dev.post(`${base}/branches`, { branch: named, ref: 'main' }),
    await world.dev.post(`${base}/tags`, { tag_name: named, ref: 'main' }),
    await world.commit([{ action: 'create', file_path: 'a.new', content: '' }], {
      branch: named,
      start_branch: 'main',
    }),
    await world.commit([{ action: 'create', file_path: `${named}/b`, content: '' }]),
    await world.dev.post(`${base}/files/${encodeURIComponent(named)}`, {
      branch: 'main',
      commit_message: 'Long',
      content: '',
    }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
});

it('accepts names with as many bytes as a file name can have', async () => {
  await world.fresh();
  const { base } = world.project;
  const branch = { branch: `a/${'é'.repeat(125)}`, ref: 'main' };
  expect((await world.dev.post(`${base}/branches`, branch)).status).toBe(201);
  const action = { action: 'create', file_path: `a/${'é'.repeat(127)}x`, content: '' };
  expect((await world.commit([action])).status).toBe(201);
});
