import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { MeasureRepositoryProcessor } from '#core/repositories/measure/measure-repository.processor.js';
import { RepositoryMeasuringService } from '#core/repositories/measure/repository-measuring.service.js';
import { RepositoryUpkeepService } from '#core/repositories/measure/repository-upkeep.service.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { startApi } from '../../../../support/api.js';
import { buildProject } from '../../../../support/builders/project.js';
import { until } from '../../../../support/until.js';

/** Git estimates the number of loose objects by those of this folder. */
const SAMPLE = 'objects/17';

it('a stop does not wait for git to collect garbage: its job returns to the queue', async () => {
  const api = await startApi({ LOG_LEVEL: 'silent' });
  const { id } = await buildProject(api.root, { initialize_with_readme: true });
  const repository = await api.app.get(RepositoriesService, { strict: false }).open(projectRepository(id));
  mkdirSync(join(repository.path, SAMPLE), { recursive: true });
  for (let number = 0; number < 20; number += 1)
    writeFileSync(join(repository.path, SAMPLE, String(number).padStart(38, '0')), '');
  // Git waits for the other end of its lock file, as for a repository that is large.
  execFileSync('mkfifo', [join(repository.path, 'gc.pid')]);
  const tidying = api.app
    .get(RepositoryUpkeepService, { strict: false })
    .tidy(repository, new AbortController().signal)
    .then(
      () => 'tidied',
      (error: unknown) => (error as Error).name,
    );
  await until(() => existsSync(join(repository.path, 'gc.pid.lock')));
  const closing = api.close();
  expect(await Promise.race([tidying, sleep(20_000, 'still collecting', { ref: false })])).toBe(
    'WorkerStopping',
  );
  await closing;
});

it('a repository that is removed while it is measured is forgotten without an error', async () => {
  const api = await startApi();
  const { id } = await buildProject(api.root, { initialize_with_readme: true });
  const repository = await api.app.get(RepositoriesService, { strict: false }).open(projectRepository(id));
  const measuring = api.app.get(RepositoryMeasuringService, { strict: false });
  const original = measuring.measure.bind(measuring);
  const measure = (): Promise<void> =>
    api.app.get(MeasureRepositoryProcessor, { strict: false }).process({ repositoryId: repository.id }, {
      signal: new AbortController().signal,
    } as Parameters<MeasureRepositoryProcessor['process']>[1]);
  measuring.measure = async (measured) => {
    rmSync(repository.path, { recursive: true, force: true });
    await expect(original(measured)).rejects.toThrow('not a git repository');
    await api.sql('delete from repositories where id = $1', [repository.id]);
    return original(measured);
  };
  await measure();
  await api.close();
});

it('the size of a repository is the one after its maintenance', async () => {
  const api = await startApi();
  const { id } = await buildProject(api.root, { initialize_with_readme: true });
  const repository = await api.app.get(RepositoriesService, { strict: false }).open(projectRepository(id));
  const git = (...args: string[]): string =>
    execFileSync('git', ['-C', repository.path, '-c', 'user.name=A', '-c', 'user.email=a@b.c', ...args], {
      encoding: 'utf8',
    });
  for (let number = 0; number < 32; number += 1) {
    const made = git('commit-tree', '-p', 'main', '-m', String(number), 'main^{tree}').trim();
    git('update-ref', 'refs/heads/main', made);
    git('repack', '-q');
  }
  const signal = new AbortController().signal;
  await api.app
    .get(MeasureRepositoryProcessor, { strict: false })
    .process({ repositoryId: repository.id }, { signal } as Parameters<
      MeasureRepositoryProcessor['process']
    >[1]);
  const figure = (name: string): number =>
    Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(git('count-objects', '-v'))?.[1]);
  expect(figure('packs')).toBe(1);
  const size = 1024 * (figure('size') + figure('size-pack'));
  const stored = await api.sql(
    `select r.size_bytes as code, s.repository_size as counted from repositories r
     join project_statistics s on s.project_id = r.owner_id where r.id = $1`,
    [repository.id],
  );
  expect(stored).toEqual([{ code: size, counted: size }]);
  await api.close();
});
