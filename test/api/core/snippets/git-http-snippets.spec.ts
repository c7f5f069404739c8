import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { GIT_KINDS } from '#core/repositories/git/processes/git-kinds.js';
import { takeSlot } from '#core/repositories/git/processes/git-slots.js';
import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { PushCompletionService } from '#core/repositories/pushes/recovery/push-completion.service.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { snippetRepository } from '#core/repositories/repository-ref.js';
import type { TestApi } from '../../../support/api.js';
import { buildGroup } from '../../../support/builders/group.js';
import { buildMember } from '../../../support/builders/member.js';
import { buildProject, type BuiltProject } from '../../../support/builders/project.js';
import { buildToken } from '../../../support/builders/token.js';
import { createUser, type CreatedUser } from '../../../support/builders/user.js';
import { WorkingCopy } from '../../../support/git.js';
import { askRefs, gitUrl, type Login } from '../../../support/git-http.js';
import { borrowApi } from '../../../support/shared-api.js';

const NONE = 'The snippet you were looking for does not exist.';

let api: TestApi;
let author: CreatedUser;
let project: BuiltProject;
const logins: Record<string, Login> = {};

beforeAll(async () => {
  api = await borrowApi();
  const group = await buildGroup(api);
  project = await buildProject(api.root, { namespace_id: group.id });
  author = await createUser(api);
  const [maintainer, reporter, stranger] = [
    await createUser(api),
    await createUser(api),
    await createUser(api),
  ];
  await buildMember(api, `projects/${project.id}`, author.id, 30);
  await buildMember(api, `projects/${project.id}`, maintainer.id, 40);
  await buildMember(api, `projects/${project.id}`, reporter.id, 20);
  for (const [name, { id }] of Object.entries({ author, maintainer, reporter, stranger }))
    logins[name] = ['x', (await buildToken(api, id)).token];
});
afterAll(() => api.close());

async function snippet(place: string, visibility: string): Promise<number> {
  const files = [{ file_path: 'a.txt', content: 'one' }];
  const answer = await author.client.post<{ id: number }>(`${place}/snippets`, {
    title: 'S',
    visibility,
    files,
  });
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
  return answer.body.id;
}

/** Status of a fetch and of a push for each user; the last one is anonymous. */
async function statuses(path: string): Promise<Record<string, number[]>> {
  const found: Record<string, number[]> = {};
  for (const name of [...Object.keys(logins), 'nobody']) {
    const login = logins[name] ?? null;
    found[name] = [
      (await askRefs(api, path, 'upload', login)).status,
      (await askRefs(api, path, 'receive', login)).status,
    ];
  }
  return found;
}

describe('personal snippets', () => {
  it('accept pushes of their author, and fetches of users who can see them', async () => {
    const hidden = await snippet('', 'private');
    expect(await statuses(`/snippets/${hidden}.git`)).toEqual({
      author: [200, 200],
      maintainer: [404, 404],
      reporter: [404, 404],
      stranger: [404, 404],
      nobody: [401, 401],
    });
    const open = await snippet('', 'public');
    expect(await statuses(`/snippets/${open}.git`)).toMatchObject({
      author: [200, 200],
      stranger: [200, 403],
      nobody: [200, 401],
    });
    const refused = await askRefs(api, `/snippets/${open}.git`, 'receive', logins['stranger']);
    expect(refused.text).toBe('You are not allowed to update this snippet.');
    const missing = await askRefs(api, '/snippets/999999.git', 'upload', logins['author']);
    expect([missing.status, missing.text]).toEqual([404, NONE]);
    expect(
      (await askRefs(api, `/${project.path_with_namespace}/snippets/${open}.git`, 'upload', logins['author']))
        .status,
    ).toBe(404);
  });

  it('refuse files with longer paths than the API takes, which would make every list too large', async () => {
    const id = await snippet('', 'public');
    const work = new WorkingCopy();
    const url = gitUrl(api, `/snippets/${id}.git`, logins['author']);
    await work.git('clone', '--quiet', url, '.');
    const blob = await work.git('rev-parse', 'HEAD:a.txt');
    const push = async (name: string): Promise<readonly [number, string]> => {
      const tree = await work.pipe(['mktree'], `100644 blob ${blob}\t${name}\n`);
      const commit = await work.git('commit-tree', '-p', 'HEAD', '-m', 'Long', tree);
      const { code, stderr } = await work.run(['push', url, `${commit}:main`]);
      return [code, stderr];
    };
    for (const length of [4_097, 2 * 1024 * 1024])
      expect(await push('n'.repeat(length))).toEqual([1, expect.stringContaining('The ')]);
    const kept = await author.client.get<{ file_name: string }>(`/snippets/${id}`);
    expect(kept.body.file_name).toBe('a.txt');
    expect((await push('n'.repeat(4_096)))[0]).toBe(0);
    work.remove();
  });

  it('can be changed while the files of a push are listed, whose names are kept then', async () => {
    const id = await snippet('', 'private');
    const repository = await api.app.get(RepositoriesService, { strict: false }).open(snippetRepository(id));
    const push = await api.app.get(RunningPushesService, { strict: false }).begin(repository, author.id);
    await api.sql(`update snippets set file_paths = '{former.txt}' where id = $1`, [id]);
    const change = { ref: 'refs/heads/main', before: NO_OBJECT, after: 'a'.repeat(40) };
    // Without these git cannot list the files.
    const all = Array.from({ length: GIT_KINDS.background.width }, (_, n) => `/held/${n}`);
    const held = await Promise.all(all.map((path) => takeSlot('background', path)));
    const pushes = api.app.get(PushCompletionService, { strict: false });
    const finishing = pushes.finish(push ?? '', repository, [change]);
    try {
      await sleep(500);
      expect((await author.client.put(`/snippets/${id}`, { title: 'Meanwhile' })).status).toBe(200);
    } finally {
      for (const { release } of held) release();
      await finishing;
    }
    const { body } = await author.client.get<object>(`/snippets/${id}`);
    expect(body).toMatchObject({ title: 'Meanwhile', file_name: 'a.txt' });
  });

  it('are read-only while they are moved', async () => {
    const id = await snippet('', 'private');
    await api.sql('update snippets set repository_read_only = true where id = $1', [id]);
    const refused = await askRefs(api, `/snippets/${id}.git`, 'receive', logins['author']);
    expect([refused.status, refused.text]).toEqual([
      403,
      'The repository is temporarily read-only. Please try again later.',
    ]);
    expect((await askRefs(api, `/snippets/${id}.git`, 'upload', logins['author'])).status).toBe(200);
  });
});

describe('snippets of projects', () => {
  it('have a path below their project, whose former path keeps working', async () => {
    const id = await snippet(`/projects/${project.id}`, 'private');
    const path = `/${project.path_with_namespace}/snippets/${id}.git`;
    expect(await statuses(path)).toEqual({
      author: [200, 200],
      maintainer: [200, 200],
      reporter: [200, 403],
      stranger: [404, 404],
      nobody: [401, 401],
    });
    expect((await askRefs(api, `/snippets/${id}.git`, 'upload', logins['author'])).status).toBe(404);
    await api.root.put(`/projects/${project.id}`, { path: 'renamed' });
    expect((await askRefs(api, path, 'upload', logins['reporter'])).status).toBe(200);
    await api.root.post(`/projects/${project.id}/archive`);
    expect((await askRefs(api, path, 'receive', logins['maintainer'])).status).toBe(403);
  });
});
