import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gitText } from '#core/repositories/git/git.js';
import { Quarantine, withQuarantine } from '#core/repositories/objects/quarantine.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import {
  projectRepository,
  snippetRepository,
  wikiRepository,
  type RepositoryRef,
} from '#core/repositories/repository-ref.js';
import { writeBlob } from '#core/repositories/git/write-blob.js';
import type { TestApi } from '../../../../support/api.js';
import type { ApiClient } from '../../../../support/client.js';
import { codeProject, coder, type CodeProject } from '../../../../support/code.js';
import { MergeWorld } from '../../../../support/merge-world.js';
import { borrowApi } from '../../../../support/shared-api.js';

let api: TestApi;
let project: CodeProject;
let dev: ApiClient;
let path: string;

beforeAll(async () => {
  api = await borrowApi();
  project = await codeProject(api, 'quarantine');
  dev = await coder(api, 'dev', { id: project.id, role: 30 });
  await project.work.commit({ 'a.txt': 'one\n' }, 'First');
  await project.push();
  path = await pathOf(projectRepository(project.id));
});
afterAll(() => {
  project.work.remove();
  return api.close();
});

const pathOf = async (ref: RepositoryRef): Promise<string> =>
  (await api.app.get(RepositoriesService, { strict: false }).open(ref)).path;

/** All entries in the object folder of a repository. */
const stored = (folder: string): string[] =>
  readdirSync(join(folder, 'objects'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() || entry.name.startsWith('tmp_'))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();

const noise = (bytes: number): string => randomBytes(bytes).toString('base64');

describe('writes to a repository through the API', () => {
  it('leave nothing behind if a rule refuses them', async () => {
    await api.root.put(`/projects/${project.id}`, { default_branch: 'main' });
    await api.root.post(`/projects/${project.id}/protected_branches`, {
      name: 'closed*',
      push_access_level: 0,
      merge_access_level: 40,
    });
    const before = stored(path);
    const body = {
      branch: 'closed-one',
      start_branch: 'main',
      commit_message: 'x',
      actions: [{ action: 'create', file_path: 'big', content: noise(200_000) }],
    };
    const answer = await dev.post(`${project.base}/commits`, body);
    expect([answer.status, stored(path)]).toEqual([400, before]);
    expect(
      (await dev.post(`${project.base}/commits`, { ...body, branch: 'main', start_branch: undefined }))
        .status,
    ).toBe(201);
    expect(stored(path)).toHaveLength(before.length + 3);
    expect(stored(path).filter((name) => name.includes('tmp_'))).toEqual([]);
    expect(await gitText(path, ['fsck', '--strict', '--no-dangling'])).toBe('');
  });

  it('leave nothing behind for cherry-picks that are dry runs or conflict', async () => {
    const commit = (branch: string, content: string) =>
      dev.post<{ id: string }>(`${project.base}/commits`, {
        branch,
        start_branch: 'main',
        commit_message: branch,
        actions: [{ action: 'update', file_path: 'a.txt', content }],
      });
    const [side, other] = [await commit('side', 'two\n'), await commit('other', 'three\n')];
    const before = stored(path);
    const pick = (branch: string, values: object) =>
      dev.post(`${project.base}/commits/${side.body.id}/cherry_pick`, { branch, ...values });
    expect((await pick('main', { dry_run: true })).body).toEqual({ dry_run: 'success' });
    expect((await pick('other', { dry_run: true })).status).toBe(400);
    expect((await pick('other', {})).status).toBe(400);
    expect(stored(path)).toEqual(before);
    expect((await pick('main', {})).status).toBe(201);
    expect(other.status).toBe(201);
  });

  it('leave nothing behind for merges that conflict, and keep those that do not', async () => {
    const world = await MergeWorld.build(api);
    const [one, two] = [await world.open('one', { same: '1' }), await world.open('two', { same: '2' })];
    expect((await world.merge(one.iid)).status).toBe(200);
    const folder = await pathOf(projectRepository(world.code.id));
    expect((await world.merge(two.iid)).status).toBeGreaterThanOrEqual(400);
    expect((await world.dev.get(`${world.base}/merge_requests/${two.iid}/merge_ref`)).status).toBe(400);
    // Commits that the database keeps may come in the meantime; conflicts leave trees and files.
    expect(await gitText(folder, ['fsck', '--unreachable'])).not.toMatch(/unreachable (tree|blob)/);
  });

  it('do not damage a snippet that would become too large', async () => {
    const snippet = await dev.post<{ id: number }>('/snippets', {
      title: 'x',
      visibility: 'private',
      files: [{ file_path: 'a', content: 'a' }],
    });
    const folder = await pathOf(snippetRepository(snippet.body.id));
    await gitText(folder, ['-c', 'core.compression=0', 'hash-object', '-w', '--stdin'], {
      input: randomBytes(48 * 1024 * 1024),
      timeoutMs: 600_000,
    });
    const update = (content: string) =>
      dev.put(`/snippets/${snippet.body.id}`, { files: [{ action: 'update', file_path: 'a', content }] });
    const before = stored(folder);
    expect((await update(noise(5 * 1024 * 1024))).status).toBe(400);
    expect(stored(folder)).toEqual(before);
    expect((await update('small')).status).toBe(200);
  });

  it('leave nothing behind of a wiki page that is refused', async () => {
    await api.root.post(`/projects/${project.id}/wikis`, { title: 'home', content: 'x' });
    const folder = await pathOf(wikiRepository('Project', project.id));
    const before = stored(folder);
    expect(
      (await api.root.post(`/projects/${project.id}/wikis`, { title: 'home', content: 'y' })).status,
    ).toBe(400);
    expect(stored(folder)).toEqual(before);
  });
});

describe('a quarantine', () => {
  it('accepts packs before their indexes, into folders that are removed meanwhile', async () => {
    const file = join(project.work.path, 'x');
    writeFileSync(file, randomBytes(100));
    const id = await withQuarantine(path, async (quarantine) => {
      const place = await quarantine.directory();
      const made = await writeBlob(place, file);
      const packs = join(place.env['GIT_OBJECT_DIRECTORY'] as string, 'pack');
      mkdirSync(packs);
      await gitText(path, ['pack-objects', '-q', join(packs, 'pack')], {
        env: place.env,
        input: `${made}\n`,
      });
      writeFileSync(join(packs, 'tmp_pack_x'), 'half');
      expect(await gitText(path, ['cat-file', '-t', made], { okCodes: [0, 128] })).toBe('');
      await quarantine.moveIn();
      return made;
    });
    expect(await gitText(path, ['cat-file', '-t', id])).toBe('blob');
    expect(stored(path).filter((name) => name.includes('tmp_'))).toEqual([]);
    rmSync(join(path, 'objects', id.slice(0, 2)), { recursive: true });
    expect(await gitText(path, ['cat-file', '-t', id])).toBe('blob');
  });

  it('fails with 503 if the disk rejects writes', async () => {
    const missing = new Quarantine('/sys/kernel');
    await expect(missing.directory()).rejects.toMatchObject({ status: 503 });
    await missing.discard();
  });
});
