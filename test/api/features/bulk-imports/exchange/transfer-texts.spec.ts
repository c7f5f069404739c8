import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TransferWorld } from '../../../../support/transfer-world.js';
import { until } from '../../../../support/until.js';

let world: TransferWorld;
beforeAll(async () => {
  world = await TransferWorld.build();
});
afterAll(() => world.close());

describe('the texts of what is imported', () => {
  it('name the issues that merge requests close, also in their commits', async () => {
    const { api, from, to } = world;
    const named = await world.post<{ iid: number }>('/issues', { title: 'Named by a commit' });
    await world.post('/repository/commits', {
      branch: 'closing',
      start_branch: 'main',
      commit_message: `Closes #${named.iid}`,
      actions: [{ action: 'create', file_path: 'closing.txt', content: '1' }],
    });
    const { iid } = await world.post<{ iid: number }>('/merge_requests', {
      title: 'Close it',
      source_branch: 'closing',
      target_branch: 'main',
    });
    const closes = async (projectId: number): Promise<number[]> => {
      const path = `/projects/${projectId}/merge_requests/${iid}/closes_issues`;
      return (await api.root.get<{ iid: number }[]>(path)).body.map((issue) => issue.iid);
    };
    expect(await closes(from.id)).toEqual([named.iid]);
    await world.fetchCode();
    await world.bring('issues');
    expect((await world.bring('merge_requests')).problems).toEqual([]);
    await until(async () => (await closes(to.id)).length > 0, 5_000);
    expect(await closes(to.id)).toEqual([named.iid]);
  });

  it('stay empty where they are empty at the source', async () => {
    const { api, to } = world;
    const empty = { description: '' };
    await world.post('/milestones', { title: 'No words', ...empty });
    await world.post('/labels', { name: 'wordless', color: '#ff0000', ...empty });
    await world.post('/snippets', {
      title: 'No words',
      visibility: 'private',
      files: [{ file_path: 'a.sh', content: 'ls' }],
      ...empty,
    });
    for (const part of ['milestones', 'labels', 'snippets']) {
      const shown = async (projectId: number): Promise<unknown> =>
        (await api.root.get<{ description: unknown }[]>(`/projects/${projectId}/${part}`)).body[0]
          ?.description;
      const before = await shown(world.from.id);
      await world.bring(part);
      expect([part, before]).toEqual([part, '']);
      await until(async () => (await shown(to.id)) !== undefined, 5_000);
      expect([part, await shown(to.id)]).toEqual([part, '']);
    }
  });
});
