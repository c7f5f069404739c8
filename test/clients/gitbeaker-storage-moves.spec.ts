import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WorkingCopy } from '../support/git.js';
import { refusal, startClientWorld, type ClientWorld } from '../support/gitbeaker.js';
import { ROOT_TOKEN } from '../support/processes.js';
import { until } from '../support/until.js';

interface Move {
  readonly id: number;
  readonly state: string;
}

let folder: string;
let world: ClientWorld;
let work: WorkingCopy;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-gitbeaker-'));
  world = await startClientWorld({ REPOSITORY_STORAGES: `default=${folder}/a,second=${folder}/b` });
  await world.root.ApplicationSettings.edit({ repositoryStoragesWeighted: { default: 100 } });
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': 'one\n' });
});
afterAll(async () => {
  work.remove();
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Waits until a move that the client shows has finished. */
const finished = (show: () => Promise<unknown>): Promise<number> =>
  until(async () => ((await show()) as Move).state === 'finished');

it('moves a project, shows it, and moves all of a storage back', async () => {
  const { Projects, ProjectRepositoryStorageMoves: moves, Branches } = world.root;
  const project = await Projects.create({ name: 'Web' });
  const remote = new URL('/root/web.git', world.product.url);
  Object.assign(remote, { username: 'root', password: ROOT_TOKEN });
  await work.git('push', '--quiet', remote.href, 'main');
  const move = (await moves.schedule('default', {
    projectId: project.id,
    destinationStorageName: 'second',
  })) as unknown as Move;
  expect(move).toMatchObject({
    state: 'scheduled',
    source_storage_name: 'default',
    destination_storage_name: 'second',
    project: { id: project.id, path_with_namespace: 'root/web' },
  });
  await finished(() => moves.show(move.id));
  await finished(() => moves.show(move.id, { projectId: 'root/web' }));
  expect(await moves.all({ projectId: project.id })).toMatchObject([{ id: move.id }]);
  expect(await moves.all()).toMatchObject([{ id: move.id }]);
  expect(await Branches.all(project.id)).toMatchObject([{ name: 'main' }]);
  expect(await Projects.show(project.id)).toMatchObject({ repository_storage: 'second' });
  expect(await moves.schedule('second', { destinationStorageName: 'default' })).toEqual({
    message: '202 Accepted',
  });
  await until(async () => (await Projects.all({ repositoryStorage: 'second' })).length === 0);
});

it('moves a snippet and the wiki of a group', async () => {
  const { Snippets, Groups, SnippetRepositoryStorageMoves, GroupRepositoryStorageMoves } = world.root;
  const snippet = await Snippets.create('Notes', {
    files: [{ content: 'hello', filePath: 'a.txt' }],
  });
  const ofSnippet = (await SnippetRepositoryStorageMoves.schedule('default', {
    snippetId: snippet.id,
    destinationStorageName: 'second',
  })) as unknown as Move;
  await finished(() => SnippetRepositoryStorageMoves.show(ofSnippet.id));
  expect(await SnippetRepositoryStorageMoves.all({ snippetId: snippet.id })).toMatchObject([
    { id: ofSnippet.id, snippet: { title: 'Notes' } },
  ]);
  expect(await Snippets.showContent(snippet.id)).toBeDefined();
  const group = await Groups.create('Crew', 'crew');
  const ofGroup = (await GroupRepositoryStorageMoves.schedule('default', {
    groupId: group.id,
    destinationStorageName: 'second',
  })) as unknown as Move;
  await finished(() => GroupRepositoryStorageMoves.show(ofGroup.id, { groupId: group.id }));
  expect(await GroupRepositoryStorageMoves.all()).toMatchObject([{ group: { name: 'Crew' } }]);
});

it('reports to the client why a move is impossible', async () => {
  const { Projects, ProjectRepositoryStorageMoves: moves } = world.root;
  const { id } = await Projects.create({ name: 'Stays' });
  const [status, text] = await refusal(
    moves.schedule('default', { projectId: id, destinationStorageName: 'nowhere' }),
  );
  expect([status, text]).toEqual([400, expect.stringContaining('is not included in the list')]);
  expect(await refusal(moves.show(999_999))).toEqual([404, '404 Repository Storage Move Not Found']);
  const jane = await world.user('jane');
  expect((await refusal(jane.api.ProjectRepositoryStorageMoves.all()))[0]).toBe(403);
});
