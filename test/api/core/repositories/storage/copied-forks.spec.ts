import { expect, it } from '@jest/globals';
import { CopyForkProcessor } from '#core/repositories/forks/copy-fork.processor.js';
import { CopyForkJob } from '#core/repositories/forks/copy-fork.job.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { buildCodeProject } from '../../../../support/builders/code-project.js';
import { buildProject } from '../../../../support/builders/project.js';
import { seedRepository, WorkingCopy } from '../../../../support/git.js';
import { borrowApi } from '../../../../support/shared-api.js';
import { until } from '../../../../support/until.js';

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

it('a fork that is moved to another storage before it was copied gets its code after the move', async () => {
  const api = await borrowApi();
  const source = await buildCodeProject(api);
  const { id } = await buildProject(api.root);
  await api.app.get(RepositoriesService, { strict: false }).ensure(projectRepository(id));
  await api.sql(
    `update projects set forked_from_id = $2, settings = settings || '{"import_status":"scheduled"}', repository_read_only = true
      where id = $1`,
    [id, source.id],
  );
  const context = { signal: new AbortController().signal } as Parameters<CopyForkProcessor['process']>[1];
  await api.app.get(CopyForkProcessor, { strict: false }).process({ projectId: id }, context);
  await api.sql('update projects set repository_read_only = false where id = $1', [id]);
  const again = `update background_jobs set run_at = now()
    where name = $1 and state = 'pending' and payload = $2 and run_at > now() + interval '5 seconds' returning id`;
  expect(await api.sql(again, [CopyForkJob.name, { projectId: id }])).toEqual([[expect.anything()], 1]);
  await until(async () => (await api.root.get(`/projects/${id}`)).body['import_status'] === 'finished');
  source.work.remove();
  await api.close();
});
