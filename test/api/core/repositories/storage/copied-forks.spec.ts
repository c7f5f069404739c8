import { expect, it } from '@jest/globals';
import { CopyForkProcessor } from '#core/repositories/forks/copy-fork.processor.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { buildCodeProject } from '../../../../support/builders/code-project.js';
import { buildProject } from '../../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../../support/git.js';
import { borrowApi } from '../../../../support/shared-api.js';

it('a fork that was pushed to before it was copied keeps its branch, and gets the others', async () => {
  const api = await borrowApi();
  const source = await buildCodeProject(api, (work) => work.git('branch', 'topic'));
  const { id } = await buildProject(api.root);
  const own = await new WorkingCopy().init();
  const pushed = await own.commit({ 'own.txt': 'own\n' }, 'Own');
  const { path } = await seedRepository(api, projectRepository(id), own);
  await api.sql(
    `update projects set forked_from_id = $2, settings = settings || '{"import_status":"scheduled"}' where id = $1`,
    [id, source.id],
  );
  const context = { signal: new AbortController().signal } as Parameters<CopyForkProcessor['process']>[1];
  await api.app.get(CopyForkProcessor, { strict: false }).process({ projectId: id }, context);
  expect(await own.git('--git-dir', path, 'for-each-ref', '--format=%(refname) %(objectname)')).toBe(
    `refs/heads/main ${pushed}\nrefs/heads/topic ${source.commits.at(-1) ?? ''}`,
  );
  const { body } = await api.root.get(`/projects/${id}`);
  expect(body['import_status']).toBe('finished');
  for (const work of [own, source.work]) work.remove();
  await api.close();
});
