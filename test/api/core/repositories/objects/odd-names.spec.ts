import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRefFiles } from '#core/repositories/refs/ref-files.js';
import { readRefs } from '#features/storage-moves/engine/copying/read-refs.js';
import type { TestApi } from '../../../../support/api.js';
import { buildCodeProject, type CodeProject } from '../../../../support/builders/code-project.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

/** For git, only ASCII spaces and controls are white space: these are parts of names. */
const NAMES = ['main\u00a0', 'a\u3000b', 'line\u2028', '\ufeffmark'];

describe('branches whose names contain white space of Unicode', () => {
  let api: TestApi;
  let project: CodeProject;
  beforeAll(async () => {
    api = await borrowApi();
    project = await buildCodeProject(api);
  });
  afterAll(async () => {
    project.work.remove();
    await api.close();
  });

  const headOf = (): string => readFileSync(join(project.repositoryPath, 'HEAD'), 'utf8');

  it.each(NAMES)('become the default branch: %j', async (name) => {
    const made = await project.maintainer.post(`/projects/${project.id}/repository/branches`, {
      branch: name,
      ref: 'main',
    });
    expect([made.status, made.body]).toMatchObject([201, { name }]);
    const changed = project.maintainer.put(`/projects/${project.id}`, { default_branch: name });
    await until(() => headOf() === `ref: refs/heads/${name}\n`);
    expect((await changed).body).toMatchObject({ default_branch: name });
    await until(async () => (await api.sql('select 1 from running_pushes')).length === 0);
    expect((await readRefs(project.repositoryPath, AbortSignal.timeout(10_000))).head).toBe(
      `ref: refs/heads/${name}`,
    );
  });

  it('are read from packed refs', async () => {
    await project.work.git('--git-dir', project.repositoryPath, 'pack-refs', '--all');
    const refs = await readRefFiles(project.repositoryPath, (name) => !name.startsWith('refs/heads'));
    for (const name of NAMES) expect(refs?.has(`refs/heads/${name}`)).toBe(true);
  });
});
