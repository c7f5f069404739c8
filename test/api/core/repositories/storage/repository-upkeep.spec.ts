import { expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
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
