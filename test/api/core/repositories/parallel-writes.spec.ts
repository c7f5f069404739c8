import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { gitText } from '#core/repositories/git/git.js';
import { requestContext, type RequestContext } from '#kernel/log/request-context.js';
import { Turns } from '#core/repositories/pushes/turns.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { MergeWorld } from '../../../support/merge-world.js';
import { borrowApi } from '../../../support/shared-api.js';

let api: TestApi;
let world: MergeWorld;
beforeAll(async () => {
  api = await borrowApi();
  world = await MergeWorld.build(api);
});
afterAll(() => api.close());

const numbers = (count: number): number[] => Array.from({ length: count }, (_, at) => at);

/** Repeats a request as long as it returns 503, which happens on a busy machine. */
async function patient(ask: () => Promise<{ status: number }>): Promise<{ status: number }> {
  for (;;) {
    const answer = await ask();
    if (answer.status !== 503) return answer;
  }
}

const statuses = async (answers: Promise<{ status: number }>[]): Promise<number[]> => [
  ...new Set((await Promise.all(answers)).map(({ status }) => status)),
];

describe('simultaneous writes to one branch', () => {
  it('are all committed, one after the other', async () => {
    const files = `${world.base}/repository/files`;
    const { path } = await api.app
      .get(RepositoriesService, { strict: false })
      .open(projectRepository(world.code.id));
    const before = Number(await gitText(path, ['rev-list', '--count', 'main']));
    const commits = numbers(30).map((at) =>
      patient(() =>
        world.dev.post(`${world.base}/repository/commits`, {
          branch: 'main',
          commit_message: `Commit ${at}`,
          actions: [{ action: 'create', file_path: `folder/${at}.txt`, content: String(at) }],
        }),
      ),
    );
    const single = numbers(10).map((at) =>
      patient(() =>
        world.dev.post(`${files}/file-${at}.txt`, { branch: 'main', commit_message: 'x', content: 'x' }),
      ),
    );
    expect(await statuses([...commits, ...single])).toEqual([201]);
    expect(await gitText(path, ['rev-list', '--count', '--first-parent', 'main'])).toBe(String(before + 40));
    const names = (await gitText(path, ['ls-tree', '-r', '--name-only', 'main'])).split('\n');
    for (const at of numbers(30)) expect(names).toContain(`folder/${at}.txt`);
    for (const at of numbers(10)) expect(names).toContain(`file-${at}.txt`);
  });

  it('of one caller who sends many wait behind those of others', async () => {
    const turns = new Turns();
    const ended: number[] = [];
    const write = (userId: number): Promise<void> =>
      requestContext.run({ userId } as RequestContext, () =>
        turns.take('1 main', async () => {
          await new Promise(setImmediate);
          ended.push(userId);
        }),
      );
    const many = Promise.allSettled(numbers(150).map(() => write(1)));
    await write(2);
    expect(ended.indexOf(2)).toBeLessThan(3);
    expect((await many).filter(({ status }) => status === 'fulfilled')).toHaveLength(101);
  });

  it('are refused for real conflicts', async () => {
    const first = await world.commit('main', { 'seen.txt': '1' });
    const update = (content: string): Promise<{ status: number }> =>
      patient(() =>
        world.dev.post(`${world.base}/repository/commits`, {
          branch: 'main',
          commit_message: 'x',
          actions: [{ action: 'update', file_path: 'seen.txt', content, last_commit_id: first }],
        }),
      );
    const answers = await Promise.all([update('2'), update('3'), update('4')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400]);
  });

  it('merge several merge requests one after the other into one target', async () => {
    const opened = [];
    for (const at of numbers(5)) opened.push(await world.open(`side-${at}`));
    expect(await statuses(opened.map(({ iid }) => patient(() => world.merge(iid))))).toEqual([200]);
    for (const { iid } of opened) expect((await world.find(iid)).state).toBe('merged');
  });

  it('write pages of a wiki, and change one snippet', async () => {
    const pages = numbers(10).map((at) =>
      patient(() => world.dev.post(`${world.base}/wikis`, { title: `Page ${at}`, content: 'x' })),
    );
    expect(await statuses(pages)).toEqual([201]);
    const snippet = await world.dev.post<{ id: number }>('/snippets', {
      title: 'x',
      visibility: 'private',
      files: [{ file_path: 'a', content: 'a' }],
    });
    const updates = numbers(8).map((at) =>
      patient(() =>
        world.dev.put(`/snippets/${snippet.body.id}`, {
          files: [{ action: 'create', file_path: `f${at}`, content: 'x' }],
        }),
      ),
    );
    expect(await statuses(updates)).toEqual([200]);
  });
});
