import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DomainEvents } from '#kernel/events/domain-events.js';
import { gitText } from '#core/repositories/git/git.js';
import { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { NO_OBJECT, type RefChange } from '#core/repositories/pushes/ref-change.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { wikiRepository, type RepositoryRef } from '#core/repositories/repository-ref.js';
import { WikiPageChanged } from '#core/wikis/wiki-page-changed.event.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { buildProject } from '../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../support/git.js';

let api: TestApi;
let work: WorkingCopy;
let wiki: RepositoryRef;
let told: WikiPageChanged[] = [];

beforeAll(async () => {
  api = await startApi();
  api.app.get(DomainEvents, { strict: false }).on(WikiPageChanged, (event) => void told.push(event));
  wiki = wikiRepository('Project', (await buildProject(api.root)).id);
  work = await new WorkingCopy().init();
});
afterAll(async () => {
  work.remove();
  await api.close();
});

/** Pushes the working copy, and processes the push as the git server does. */
async function push(...changes: RefChange[]): Promise<readonly (readonly string[])[]> {
  told = [];
  const repository = await seedRepository(api, wiki, work);
  const id = await api.app.get(RunningPushesService, { strict: false }).begin(repository, 1);
  await api.app.get(PushCompletionService, { strict: false }).finish(id ?? '', repository, changes);
  return told.map(({ action, slug, version }) => [action, slug, version]);
}

describe('pushes to a wiki', () => {
  let first: string;
  let second: string;

  it('set the default branch, and report each page', async () => {
    await work.git('checkout', '--quiet', '-b', 'trunk');
    first = await work.commit({
      'home.md': 'one\ntwo\nthree\n',
      'dir/a page.org': 'x',
      'image.png': 'y',
      'old.md': 'z',
    });
    expect(await push({ ref: 'refs/heads/trunk', before: NO_OBJECT, after: first })).toEqual([
      ['created', 'dir/a page', first],
      ['created', 'home', first],
      ['created', 'old', first],
    ]);
    expect(told[0]).toMatchObject({ wiki, userId: 1, title: 'a page' });
    const { path } = await seedRepository(api, wiki, work);
    expect(await gitText(path, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
    const { body } = await api.root.get<{ slug: string }[]>(`/projects/${wiki.ownerId}/wikis`);
    expect(body.map(({ slug }) => slug)).toEqual(['dir/a page', 'home', 'old']);
  });

  it('report changed, renamed and removed pages', async () => {
    await work.git('mv', 'home.md', 'start.md');
    await work.git('rm', '--quiet', 'old.md');
    second = await work.commit({ 'dir/a page.org': 'changed', 'image.png': 'changed' });
    expect(await push({ ref: 'refs/heads/trunk', before: first, after: second })).toEqual([
      ['updated', 'dir/a page', second],
      ['destroyed', 'old', first],
      ['updated', 'start', second],
    ]);
  });

  it('do not report other branches and unreadable pages', async () => {
    await work.git('branch', 'draft');
    expect(await push({ ref: 'refs/heads/draft', before: NO_OBJECT, after: second })).toEqual([]);
    const { path } = await seedRepository(api, wiki, work);
    expect(await gitText(path, ['symbolic-ref', 'HEAD'])).toBe('refs/heads/trunk');
    expect(await push({ ref: 'refs/heads/trunk', before: 'f'.repeat(40), after: second })).toEqual([]);
    expect(await api.sql('select 1 from running_pushes')).toEqual([]);
  });

  it('of a whole history report a hundred pages at most', async () => {
    const many = Array.from({ length: 120 }, (_, number) => [`many/${number}.md`, `${number}`]);
    const third = await work.commit(Object.fromEntries(many) as Record<string, string>);
    expect(await push({ ref: 'refs/heads/trunk', before: second, after: third })).toHaveLength(100);
  });

  it('do not report, and lists do not show, pages with longer paths than requests can name', async () => {
    const blob = await work.git('rev-parse', 'HEAD:start.md');
    const lines = [`${'n'.repeat(5_000)}.md`, 'short.md'].map((name) => `100644 blob ${blob}\t${name}\n`);
    const tree = await work.pipe(['mktree'], lines.join(''));
    const long = await work.git('commit-tree', '-m', 'Long', tree);
    await work.git('branch', 'long', long);
    const { path } = await seedRepository(api, wiki, work);
    await gitText(path, ['symbolic-ref', 'HEAD', 'refs/heads/long']);
    expect(await push({ ref: 'refs/heads/long', before: NO_OBJECT, after: long })).toEqual([
      ['created', 'short', long],
    ]);
    const { body } = await api.root.get<{ slug: string }[]>(`/projects/${wiki.ownerId}/wikis`);
    expect(body.map(({ slug }) => slug)).toEqual(['short']);
  });
});
