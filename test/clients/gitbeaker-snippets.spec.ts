import { AccessLevel } from '@gitbeaker/rest';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { refusal, startClientWorld, type ClientUser, type ClientWorld } from '../support/gitbeaker.js';
import { WorkingCopy } from '../support/git.js';

describe('snippets through gitbeaker', () => {
  let world: ClientWorld;
  let jane: ClientUser;
  let projectId: number;
  beforeAll(async () => {
    world = await startClientWorld();
    jane = await world.user('jane');
    projectId = (await world.root.Projects.create({ name: 'Web', visibility: 'private' })).id;
    await world.root.ProjectMembers.add(projectId, AccessLevel.REPORTER, { userId: jane.id });
  });
  afterAll(() => world.close());

  it('creates, shows, edits, lists and removes personal snippets', async () => {
    const { Snippets } = jane.api;
    const made = await Snippets.create('Deploy', {
      description: 'How to',
      visibility: 'public',
      files: [
        { filePath: 'run.sh', content: 'echo hi\n' },
        { filePath: 'docs/a.md', content: '# A\n' },
      ],
    });
    expect(made).toMatchObject({
      title: 'Deploy',
      visibility: 'public',
      author: { username: 'jane' },
      file_name: 'docs/a.md',
      files: [{ path: 'docs/a.md' }, { path: 'run.sh' }],
      http_url_to_repo: `${world.product.url}/snippets/${made.id}.git`,
    });
    expect(await Snippets.show(made.id)).toEqual(made);
    expect(await Snippets.all()).toEqual([made]);
    expect(await world.root.Snippets.all({ public: true })).toMatchObject([{ id: made.id }]);
    expect(await world.root.Snippets.all()).toEqual([]);
    expect(await Snippets.all({ createdBefore: '2001-01-01T00:00:00Z' })).toEqual([]);
    const edited = await Snippets.edit(made.id, {
      description: 'new',
      files: [
        { action: 'move', filePath: 'b.md', previousPath: 'docs/a.md' },
        { action: 'update', filePath: 'run.sh', content: 'echo ho\n' },
        { action: 'create', filePath: 'dir/c d.txt', content: 'c' },
      ],
    });
    expect(edited).toMatchObject({
      description: 'new',
      files: [{ path: 'b.md' }, { path: 'dir/c d.txt' }, { path: 'run.sh' }],
    });
    expect(await Snippets.showContent(made.id)).toBe('# A\n');
    expect(await Snippets.showRepositoryFileContent(made.id, 'main', 'dir/c d.txt')).toBe('c');
    expect(await world.root.Snippets.showUserAgentDetails(made.id)).toMatchObject({
      akismet_submitted: false,
    });
    expect((await refusal(Snippets.showUserAgentDetails(made.id)))[0]).toBe(403);
    expect(
      await refusal(Snippets.edit(made.id, { files: [{ action: 'delete', filePath: 'none' }] })),
    ).toEqual([400, expect.stringContaining("doesn't exist")]);
    await Snippets.remove(made.id);
    expect(await refusal(Snippets.show(made.id))).toEqual([404, '404 Snippet Not Found']);
  });

  it('creates, shows, edits, lists and removes project snippets', async () => {
    const { ProjectSnippets } = jane.api;
    const made = await ProjectSnippets.create(projectId, 'Notes', {
      visibility: 'private',
      files: [{ filePath: 'a.txt', content: 'one' }],
    });
    expect(made).toMatchObject({ project_id: projectId, file_name: 'a.txt' });
    expect(await ProjectSnippets.all(projectId)).toEqual([made]);
    expect(await ProjectSnippets.show('root/web', made.id)).toEqual(made);
    const edited = await ProjectSnippets.edit(projectId, made.id, {
      files: [{ action: 'update', filePath: 'a.txt', content: 'two' }],
    });
    expect(edited.id).toBe(made.id);
    expect(await ProjectSnippets.showContent(projectId, made.id)).toBe('two');
    expect(await ProjectSnippets.showRepositoryFileContent(projectId, made.id, 'main', 'a.txt')).toBe('two');
    expect(await world.root.ProjectSnippets.showUserAgentDetails(projectId, made.id)).toMatchObject({
      ip_address: '127.0.0.1',
    });
    await ProjectSnippets.remove(projectId, made.id);
    expect(await ProjectSnippets.all(projectId)).toEqual([]);
  });

  it('shows snippets to git, and shows content pushed by git', async () => {
    const made = await jane.api.Snippets.create('Pushed', {
      files: [{ filePath: 'a.txt', content: 'one' }],
    });
    const url = made.http_url_to_repo.replace('http://', `http://jane:${jane.token}@`);
    const work = new WorkingCopy();
    await work.git('clone', '--quiet', url, '.');
    expect(await work.git('ls-files')).toBe('a.txt');
    await work.commit({ 'b.txt': 'two' });
    await work.git('push', '--quiet', 'origin', 'main');
    expect(await jane.api.Snippets.show(made.id)).toMatchObject({
      files: [{ path: 'a.txt' }, { path: 'b.txt' }],
    });
    const branch = await work.run(['push', 'origin', 'main:other']);
    expect([branch.code, branch.stderr]).toEqual([
      1,
      expect.stringContaining('You can not create or delete branches.'),
    ]);
    await work.commit(Object.fromEntries(Array.from({ length: 9 }, (_, number) => [`f${number}`, 'x'])));
    const many = await work.run(['push', 'origin', 'main']);
    expect(many.stderr).toContain('The repository can contain at most 10 file(s)');
    await work.git('reset', '--quiet', '--hard', 'origin/main');
    const half = 'x'.repeat(26 * 1024 * 1024);
    await work.commit({ 'large-1': half, 'large-2': `${half}y` });
    const large = await work.run(['push', 'origin', 'main']);
    expect(large.stderr).toContain('The repository can hold at most 50 MB');
    const kim = await world.user('kim');
    const other = await work.run([
      'ls-remote',
      made.http_url_to_repo.replace('http://', `http://kim:${kim.token}@`),
    ]);
    expect(other.code).not.toBe(0);
    work.remove();
  });
});
