import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Config } from '#kernel/config/config.js';
import { git } from '#core/repositories/git/git.js';
import { GIT_KINDS } from '#core/repositories/git/processes/git-kinds.js';
import { takeSlot } from '#core/repositories/git/processes/git-slots.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { wikiRepository } from '#core/repositories/repository-ref.js';
import { startApi, type TestApi } from '../../../support/api.js';
import { WorkingCopy } from '../../../support/git.js';
import { until } from '../../../support/until.js';

let api: TestApi;
let other: TestApi;
let id: number;
let wikis: string;

beforeAll(async () => {
  api = await startApi();
  // A second process on the same database and folders.
  const { repositoryStorages } = api.app.get(Config, { strict: false });
  other = await startApi({
    DATABASE_URL: api.databaseUrl,
    REPOSITORY_STORAGES: `default=${repositoryStorages.get('default')}`,
  });
});
afterAll(async () => {
  await other.close();
  await api.close();
});

let made = 0;
beforeEach(async () => {
  made += 1;
  id = (await api.root.post<{ id: number }>('/projects', { name: `race ${made}` })).body.id;
  wikis = `/projects/${id}/wikis`;
});

interface Page {
  readonly slug: string;
  readonly content: string;
}

const numbers = (count: number): number[] => [...Array(count).keys()];

const running = () =>
  api.sql(
    `select 1 from running_pushes p join repositories r on r.id = p.repository_id
     where r.owner_id = $1 and r.kind = 'wiki'`,
    [id],
  );

async function repositoryPath(): Promise<string> {
  return (await api.app.get(RepositoriesService, { strict: false }).open(wikiRepository('Project', id))).path;
}

describe('simultaneous writes to a wiki', () => {
  it('lose no page, not even of a wiki that is being created', async () => {
    const answers = await Promise.all(
      numbers(12).map((n) =>
        (n % 4 === 0 ? other : api).root.post(wikis, { title: `page ${n}`, content: `${n}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(12).fill(201));
    const { body } = await api.root.get<Page[]>(`${wikis}?with_content=1`);
    expect(body.map(({ content }) => Number(content)).sort((a, b) => a - b)).toEqual(numbers(12));
    expect((await git(await repositoryPath(), ['rev-list', '--count', 'HEAD'])).toString()).toBe('12\n');
    expect(await running()).toEqual([]);
  });

  it('create one page for one title', async () => {
    const answers = await Promise.all(
      numbers(6).map((n) => (n % 2 ? other : api).root.post(wikis, { title: 'same', content: `${n}` })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400, 400]);
    const winner = answers.find(({ status }) => status === 201)?.body['content'];
    expect((await api.root.get<Page>(`${wikis}/same`)).body.content).toBe(winner);
  });

  it('do not restore removed pages', async () => {
    await api.root.post(wikis, { title: 'gone', content: 'x' });
    const [removed, ...changed] = await Promise.all([
      api.root.delete(`${wikis}/gone`),
      ...numbers(4).map((n) => api.root.put(`${wikis}/gone`, { content: `${n}` })),
    ]);
    expect(removed.status).toBe(204);
    for (const { status } of changed) expect([200, 404]).toContain(status);
    expect((await api.root.get(`${wikis}/gone`)).status).toBe(404);
  });

  it('are based on simultaneous pushes', async () => {
    await api.root.post(wikis, { title: 'home', content: 'x' });
    const path = await repositoryPath();
    const work = new WorkingCopy();
    await work.git('clone', '--quiet', path, '.');
    await work.commit({ 'pushed.md': 'pushed' });
    const [answers] = await Promise.all([
      Promise.all(numbers(4).map((n) => api.root.post(wikis, { title: `p${n}`, content: 'x' }))),
      pushUntilTaken(work),
    ]);
    work.remove();
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const { body } = await api.root.get<Page[]>(wikis);
    expect(body.map(({ slug }) => slug)).toEqual(['home', 'p0', 'p1', 'p2', 'p3', 'pushed']);
  });
});

/** Pushes as a user would: again, on top of new commits. */
async function pushUntilTaken(work: WorkingCopy): Promise<void> {
  for (let attempt = 0; attempt < 50; attempt += 1) {
    if ((await work.run(['push', '--quiet'])).code === 0) return;
    await work.git('pull', '--quiet', '--rebase');
  }
  throw new Error('The push was never taken');
}

describe('a wiki whose changes take git long', () => {
  it('holds up nothing else of its project, and reports them then', async () => {
    // Without these the changes cannot be read.
    const held = await Promise.all(numbers(GIT_KINDS.walk.width).map((n) => takeSlot('walk', `/held/${n}`)));
    const creating = api.root.post(wikis, { title: 'slow', content: 'x' });
    try {
      await until(async () => (await api.root.get(`${wikis}/slow`)).status === 200);
      for (const description of ['one', 'two', 'three'])
        expect((await api.root.put(`/projects/${id}`, { description })).status).toBe(200);
      expect(await running()).toHaveLength(1);
    } finally {
      for (const { release } of held) release();
    }
    expect((await creating).status).toBe(201);
    expect(await running()).toEqual([]);
    const { body } = await api.root.get<object[]>(`/projects/${id}/events?target_type=wiki`);
    expect(body).toMatchObject([{ wiki_page: { slug: 'slow' } }]);
  });
});

describe('a wiki that starts to be moved', () => {
  const lock = (to: boolean) =>
    api.sql('update projects set repository_read_only = $2 where id = $1', [id, to]);

  it('refuses changes, and can still be read', async () => {
    await api.root.post(wikis, { title: 'home', content: 'x' });
    await lock(true);
    const message = 'The repository is temporarily read-only. Please try again later.';
    for (const answer of [
      await api.root.post(wikis, { title: 'new', content: 'x' }),
      await api.root.put(`${wikis}/home`, { content: 'y' }),
      await api.root.delete(`${wikis}/home`),
    ])
      expect(answer).toMatchObject({ status: 400, body: { message } });
    expect((await api.root.get<Page>(`${wikis}/home`)).body.content).toBe('x');
    await lock(false);
    expect((await api.root.put(`${wikis}/home`, { content: 'y' })).status).toBe(200);
    expect(await running()).toEqual([]);
  });

  it('has every page whose request succeeded, and none of the refused ones', async () => {
    await api.root.post(wikis, { title: 'home', content: 'x' });
    const writes = numbers(10).map((n) => api.root.post(wikis, { title: `p${n}`, content: 'x' }));
    await Promise.race(writes);
    await lock(true);
    // A move waits for these before it copies; nothing changes after them.
    await until(async () => (await running()).length === 0);
    const frozen = (await git(await repositoryPath(), ['rev-parse', 'HEAD'])).toString();
    const answers = await Promise.all(writes);
    expect((await git(await repositoryPath(), ['rev-parse', 'HEAD'])).toString()).toBe(frozen);
    const taken = answers.flatMap(({ status }, n) => (status === 201 ? [`p${n}`] : []));
    for (const { status } of answers) expect([201, 400]).toContain(status);
    const { body } = await api.root.get<Page[]>(wikis);
    expect(body.map(({ slug }) => slug)).toEqual(['home', ...taken].sort());
  });
});
