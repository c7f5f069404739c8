import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';

describe('commits, files and trees through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let project: { id: number };
  let first: string;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    project = await jane.api.Projects.create({ name: 'Code' });
    const { Commits } = jane.api;
    const made = await Commits.create(project.id, 'main', 'First', [
      { action: 'create', filePath: 'README.md', content: '# Code\n' },
      {
        action: 'create',
        filePath: 'src/a b.ts',
        content: Buffer.from('1\n').toString('base64'),
        encoding: 'base64',
      },
    ]);
    first = made.id;
  });
  afterAll(() => world.close());

  it('creates, lists and shows commits', async () => {
    const { Commits } = jane.api;
    const second = await Commits.create(
      project.id,
      'topic',
      'Second\n\nReviewed-by: Ada',
      [
        { action: 'update', filePath: 'README.md', content: '# Better\n', lastCommitId: first },
        { action: 'move', filePath: 'lib/a.ts', previousPath: 'src/a b.ts' },
      ],
      { startBranch: 'main', authorName: 'Ada', authorEmail: 'ada@example.com' },
    );
    expect(second).toMatchObject({ title: 'Second', author_name: 'Ada', parent_ids: [first] });
    const all = await Commits.all(project.id, { refName: 'topic', withStats: true, trailers: true });
    expect(all.map(({ title }) => title)).toEqual(['Second', 'First']);
    expect(all[0]).toMatchObject({
      stats: { additions: 1, deletions: 1, total: 2 },
      trailers: { 'Reviewed-by': 'Ada' },
    });
    expect(await Commits.show(project.id, 'topic')).toMatchObject({ id: second.id, project_id: project.id });
    expect((await Commits.showDiff(project.id, second.id)).map((diff) => diff.new_path)).toEqual([
      'README.md',
      'lib/a.ts',
    ]);
    expect(await Commits.allReferences(project.id, first)).toHaveLength(2);
    expect(await Commits.showSequence(project.id, 'topic')).toEqual({ count: 2 });
    expect(await Commits.allMergeRequests(project.id, first)).toEqual([]);
    const paged: string[] = [];
    for (let page = 1; page <= 2; page += 1)
      paged.push(
        ...(await Commits.all(project.id, { refName: 'topic', perPage: 1, maxPages: 1, page })).map(
          ({ id }) => id,
        ),
      );
    expect(paged).toEqual([second.id, first]);
    expect(await refusal(Commits.show(project.id, 'none'))).toEqual([404, '404 Commit Not Found']);
    const again = Commits.create(project.id, 'main', 'x', [
      { action: 'create', filePath: 'README.md', content: '' },
    ]);
    expect(await refusal(again)).toEqual([400, 'A file with this name already exists']);
  });

  it('picks and reverts', async () => {
    const { Commits, RepositoryFiles } = jane.api;
    const side = await Commits.create(
      project.id,
      'side',
      'Side',
      [{ action: 'create', filePath: 's', content: 's' }],
      { startBranch: 'main' },
    );
    expect(await Commits.cherryPick(project.id, side.id, 'main', { dryRun: true })).toEqual({
      dry_run: 'success',
    });
    const picked = await Commits.cherryPick(project.id, side.id, 'main');
    expect(await RepositoryFiles.showRaw(project.id, 's', 'main')).toBe('s');
    expect(await Commits.revert(project.id, picked.id, 'main')).toMatchObject({ title: 'Revert "Side"' });
    expect((await refusal(Commits.revert(project.id, picked.id, 'main')))[0]).toBe(400);
  });

  it('compares, finds ancestors, lists trees and contributors, packs', async () => {
    const { Repositories } = jane.api;
    const compared = await Repositories.compare(project.id, 'main', 'topic');
    expect(compared).toMatchObject({ compare_same_ref: false, commits: [{ title: 'Second' }] });
    expect(await Repositories.mergeBase(project.id, ['main', 'topic'])).toMatchObject({ id: first });
    expect(await Repositories.allContributors(project.id)).toMatchObject([{ name: 'jane' }]);
    const tree = await Repositories.allRepositoryTrees(project.id, { recursive: true, ref: 'main' });
    expect(tree.map(({ path }) => path)).toEqual(['src', 'README.md', 'src/a b.ts']);
    const walked = await Repositories.allRepositoryTrees(project.id, {
      recursive: true,
      ref: 'main',
      pagination: 'keyset',
      perPage: 1,
    });
    expect(walked).toEqual(tree);
    const blob = tree[1]?.id ?? '';
    expect(await Repositories.showBlob(project.id, blob)).toMatchObject({ size: 7, encoding: 'base64' });
    expect(await Repositories.showBlobRaw(project.id, blob)).toBe('# Code\n');
    const archive = await Repositories.showArchive(project.id, { fileType: 'zip' });
    expect(
      Buffer.from(await archive.arrayBuffer())
        .subarray(0, 2)
        .toString(),
    ).toBe('PK');
  });

  it('creates, reads, changes and removes files', async () => {
    const { RepositoryFiles } = jane.api;
    const path = 'docs/ä b.md';
    expect(await RepositoryFiles.create(project.id, path, 'main', 'one\n', 'Add')).toEqual({
      file_path: path,
      branch: 'main',
    });
    expect(await RepositoryFiles.show(project.id, path, 'main')).toMatchObject({
      file_name: 'ä b.md',
      size: 4,
    });
    expect(await RepositoryFiles.edit(project.id, path, 'main', 'two\n', 'Edit')).toMatchObject({
      branch: 'main',
    });
    expect(await RepositoryFiles.allFileBlames(project.id, path, 'main')).toMatchObject([
      { commit: { message: 'Edit' }, lines: ['two'] },
    ]);
    expect(await RepositoryFiles.showRaw(project.id, path, 'main')).toBe('two\n');
    await RepositoryFiles.remove(project.id, path, 'main', 'Remove');
    expect(await refusal(RepositoryFiles.show(project.id, path, 'main'))).toEqual([
      404,
      '404 File Not Found',
    ]);
  });
});
