import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HealthChecks } from '#kernel/health/health-checks.js';
import { metrics } from '#kernel/log/metrics.js';
import {
  projectRepository,
  relativePath,
  snippetRepository,
  wikiRepository,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';
import { ROOT_TOKEN, startApi, type TestApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { WorkingCopy } from '../../../../support/git.js';
import { askRefs, gitUrl } from '../../../../support/git-http.js';
import { until } from '../../../../support/until.js';

const NOT_AVAILABLE = { message: 'The repository is not available' };
const LOGIN = ['root', ROOT_TOKEN] as const;

let api: TestApi;
let folder: string;
let work: WorkingCopy;

const storage = (): string => join(folder, 'default');
const place = (ref: RepositoryRef): string => join(storage(), relativePath(ref));

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'forgeplane-lost-'));
  api = await startApi({
    LOG_LEVEL: 'silent',
    REPOSITORY_STORAGES: `default=${folder}/default,second=${folder}/second`,
  });
  await api.root.put('/application/settings', { repository_storages_weighted: { default: 100 } });
  work = await new WorkingCopy().init();
  await work.commit({ 'a.txt': 'one\n' }, 'First');
});
afterAll(async () => {
  work.remove();
  await api.close();
  rmSync(folder, { recursive: true, force: true });
});

const push = (path: string): Promise<{ code: number; stderr: string }> =>
  work.run(['push', '--quiet', gitUrl(api, path, LOGIN), 'main:main']);

/** Creates a project with code, a wiki page and a snippet. */
async function filledProject(): Promise<{ id: number; path: string; snippet: number }> {
  const { id, path_with_namespace: path } = await buildProject(api.root);
  expect((await push(`/${path}.git`)).code).toBe(0);
  expect((await api.root.post(`/projects/${id}/wikis`, { title: 'home', content: 'x' })).status).toBe(201);
  const files = [{ file_path: 'a.txt', content: 'one' }];
  const snippet = await api.root.post<{ id: number }>(`/projects/${id}/snippets`, {
    title: 'S',
    visibility: 'private',
    files,
  });
  expect(snippet.status).toBe(201);
  return { id, path, snippet: snippet.body.id };
}

const commitOf = (name: string): object => ({
  branch: 'main',
  commit_message: 'm',
  actions: [{ action: 'create', file_path: name, content: 'x' }],
});

/** Expects 503 from every route to the repositories of a project. */
async function everythingIsRefused({
  id,
  path,
  snippet,
}: Awaited<ReturnType<typeof filledProject>>): Promise<void> {
  const files = [{ action: 'update', file_path: 'a.txt', content: randomUUID() }];
  const answers = [
    await api.root.get(`/projects/${id}/repository/commits`),
    await api.root.get(`/projects/${id}/repository/tree`),
    await api.root.get(`/projects/${id}/repository/branches`),
    await api.root.get(`/projects/${id}/repository/files/a.txt?ref=main`),
    await api.root.post(`/projects/${id}/repository/commits`, commitOf(randomUUID())),
    await api.root.post(`/projects/${id}/repository/branches`, { branch: randomUUID(), ref: 'main' }),
    await api.root.post(`/projects/${id}/repository/tags`, { tag_name: randomUUID(), ref: 'main' }),
    await api.root.get(`/projects/${id}/wikis`),
    await api.root.post(`/projects/${id}/wikis`, { title: randomUUID(), content: 'x' }),
    await api.root.put(`/projects/${id}/snippets/${snippet}`, { files }),
    await api.root.get(`/projects/${id}/snippets/${snippet}/raw`),
    await api.root.post(`/projects/${id}/fork`, { path: `f${randomUUID()}`, name: randomUUID() }),
  ];
  for (const [index, { status, body, headers }] of answers.entries())
    expect([index, status, body, headers.get('Retry-After')]).toEqual([index, 503, NOT_AVAILABLE, '60']);
  for (const git of [`/${path}.git`, `/${path}.wiki.git`, `/${path}/snippets/${snippet}.git`]) {
    for (const service of ['upload', 'receive'] as const) {
      const { status, text, headers } = await askRefs(api, git, service, LOGIN);
      expect([git, service, status, text]).toEqual([git, service, 503, NOT_AVAILABLE.message]);
      expect(headers.get('Retry-After')).toBe('60');
    }
  }
  const pushed = await push(`/${path}.git`);
  expect(pushed.code).not.toBe(0);
}

async function everythingIsThere({
  id,
  path,
  snippet,
}: Awaited<ReturnType<typeof filledProject>>): Promise<void> {
  expect((await api.root.get<unknown[]>(`/projects/${id}/repository/commits`)).body.length).toBeGreaterThan(
    0,
  );
  expect((await api.root.post(`/projects/${id}/repository/commits`, commitOf(randomUUID()))).status).toBe(
    201,
  );
  expect((await api.root.post(`/projects/${id}/wikis`, { title: randomUUID(), content: 'x' })).status).toBe(
    201,
  );
  expect((await api.root.get(`/projects/${id}/snippets/${snippet}/raw`)).status).toBe(200);
  expect((await askRefs(api, `/${path}.git`, 'upload', LOGIN)).status).toBe(200);
}

describe('a repository that is not where the database says', () => {
  it('is refused by every route, never created again, and reported', async () => {
    const project = await filledProject();
    const refs = [
      projectRepository(project.id),
      wikiRepository('Project', project.id),
      snippetRepository(project.snippet),
    ];
    for (const ref of refs) renameSync(place(ref), `${place(ref)}.away`);
    await everythingIsRefused(project);
    for (const ref of refs) expect(existsSync(place(ref))).toBe(false);
    const { isComplete, checks } = await api.app.get(HealthChecks).run();
    expect(isComplete).toBe(true);
    expect(checks['repositories']).toMatchObject({
      status: 'up',
      unavailable: expect.arrayContaining([
        `project ${project.id} on default is missing`,
        `project ${project.id} (wiki) on default is missing`,
        `snippet ${project.snippet} on default is missing`,
      ]),
    });
    const counted = await metrics.metrics();
    expect(counted).toMatch(/repositories_unavailable_total\{storage="default",reason="missing"\} [1-9]/);
    // From the start on: Prometheus sees no increase in a count that begins with the first loss.
    expect(counted).toMatch(/repositories_unavailable_total\{storage="default",reason="unreadable"\} 0/);
    for (const ref of refs) renameSync(`${place(ref)}.away`, place(ref));
    await everythingIsThere(project);
  });

  it('is refused if it belongs to another owner', async () => {
    const project = await filledProject();
    const other = await filledProject();
    const [own, theirs] = [place(projectRepository(project.id)), place(projectRepository(other.id))];
    renameSync(own, `${own}.away`);
    cpSync(theirs, own, { recursive: true });
    expect((await api.root.get(`/projects/${project.id}/repository/commits`)).body).toEqual(NOT_AVAILABLE);
    expect((await push(`/${project.path}.git`)).code).not.toBe(0);
    rmSync(own, { recursive: true });
    renameSync(`${own}.away`, own);
    await everythingIsThere(project);
  });

  it('is accepted as that of the project if it was restored from a backup without identities', async () => {
    const project = await filledProject();
    const config = join(place(projectRepository(project.id)), 'config');
    const whole = readFileSync(config, 'utf8');
    writeFileSync(config, whole.slice(0, whole.indexOf('[forgeplane]')));
    await everythingIsThere(project);
    expect(readFileSync(config, 'utf8')).toBe(whole);
  });
});

describe('a storage', () => {
  it('that is not mounted, or is another one, is not written to, and loses nothing', async () => {
    const project = await filledProject();
    const doomed = await filledProject();
    const { id: fresh } = await buildProject(api.root);
    renameSync(storage(), `${storage()}.away`);
    const refuses = async (): Promise<void> => {
      await until(async () => (await api.root.get(`/projects/${project.id}/repository/tree`)).status === 503);
      await everythingIsRefused(project);
      expect((await api.root.post(`/projects/${fresh}/repository/commits`, commitOf('a'))).body).toEqual(
        NOT_AVAILABLE,
      );
    };
    await refuses();
    expect(existsSync(storage())).toBe(false);
    mkdirSync(storage());
    await refuses();
    expect((await api.root.delete(`/projects/${doomed.id}`)).status).toBe(202);
    const waiting = `select 1 from background_jobs where name = 'repositories.remove' and state = 'pending'
      and run_at > now() + interval '5 minutes' and payload @> $1`;
    const payload = JSON.stringify({ ownerType: 'Project', ownerId: doomed.id });
    await until(async () => (await api.sql(waiting, [payload])).length === 1);
    writeFileSync(join(storage(), '.forgeplane-storage'), `${randomUUID()}\n`);
    await refuses();
    expect(readdirSync(storage())).toEqual(['.forgeplane-storage']);
    rmSync(storage(), { recursive: true });
    renameSync(`${storage()}.away`, storage());
    await until(async () => (await api.root.get(`/projects/${project.id}/repository/tree`)).status === 200);
    await everythingIsThere(project);
    expect((await api.root.post(`/projects/${fresh}/repository/commits`, commitOf('a'))).status).toBe(201);
    await api.sql(
      `update background_jobs set run_at = now() where name = 'repositories.remove' and payload @> $1`,
      [payload],
    );
    await until(() => !existsSync(place(projectRepository(doomed.id))));
  });
});

describe('after a restore of the database', () => {
  it('a new project does not get a lost repository whose id is reused, and does not change it', async () => {
    const lost = await filledProject();
    const [own, wiki] = [place(projectRepository(lost.id)), place(wikiRepository('Project', lost.id))];
    await api.sql(`delete from repositories where owner_type = 'Project' and owner_id = $1`, [lost.id]);
    await api.sql('delete from routes where source_type = $1 and source_id = $2', ['Project', lost.id]);
    await api.sql('delete from snippets where project_id = $1', [lost.id]);
    await api.sql('delete from projects where id = $1', [lost.id]);
    await api.sql('alter sequence projects_id_seq restart with ' + String(lost.id));
    const { id, path_with_namespace: path } = await buildProject(api.root);
    expect(id).toBe(lost.id);
    expect((await api.root.get<unknown[]>(`/projects/${id}/repository/branches`)).body).toEqual([]);
    expect((await askRefs(api, `/${path}.git`, 'upload', LOGIN)).text).not.toContain('refs/heads/main');
    expect((await api.root.post(`/projects/${id}/repository/commits`, commitOf('new.txt'))).status).toBe(201);
    const tree = await api.root.get<{ path: string }[]>(`/projects/${id}/repository/tree`);
    expect(tree.body.map((entry) => entry.path)).toEqual(['new.txt']);
    const [kept] = readdirSync(join(storage(), '+set-aside'));
    expect(kept).toMatch(new RegExp(`^\\d{8}T\\d{6}Z-project-${id}-[0-9a-f]{8}\\.git$`));
    expect(await work.git('ls-remote', join(storage(), '+set-aside', String(kept)))).toContain(
      'refs/heads/main',
    );
    expect((await api.root.delete(`/projects/${id}`)).status).toBe(202);
    await until(() => !existsSync(own));
    expect(existsSync(wiki)).toBe(true);
  });
});

describe('a refused write', () => {
  it('is not registered while the project is moved', async () => {
    const { id } = await buildProject(api.root);
    await api.sql('update projects set repository_read_only = true where id = $1', [id]);
    expect((await api.root.post(`/projects/${id}/wikis`, { title: 'a', content: 'x' })).status).toBe(400);
    expect((await api.root.post(`/projects/${id}/repository/commits`, commitOf('a'))).status).toBe(400);
    expect(
      await api.sql(`select 1 from repositories where owner_type = 'Project' and owner_id = $1`, [id]),
    ).toEqual([]);
    await api.sql('update projects set repository_read_only = false where id = $1', [id]);
    expect((await api.root.post(`/projects/${id}/wikis`, { title: 'a', content: 'x' })).status).toBe(201);
  });
});
