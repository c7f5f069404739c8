import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { Gate } from '#kernel/crypto/gate.js';
import { temporaryFolder } from '#kernel/temporary/temporary-files.js';
import { git, gitText, gitTells } from '#core/repositories/git/git.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { archiveOf, emptyArchive } from './archive-pieces.js';
import type { Pieces } from './export-files.service.js';

/** Branches, tags and heads of merge requests; without internal refs (environments, pipelines). */
const REFS = ['--branches', '--tags', '--glob=refs/merge-requests/*'];

const PATTERNS = ['refs/heads/', 'refs/tags/', 'refs/merge-requests/'];

const TIMEOUT_MS = 6 * 3_600_000;

/** Each packs a whole repository: more of them would only wait for the disk. */
const gate = new Gate(2, 10_000);

/** Exports the code of projects like v4 servers: a git bundle within an archive. */
@Injectable()
export class RepositoryBundleService {
  constructor(private readonly repositories: RepositoriesService) {}

  /** Yields the archive; without files if nothing was pushed. */
  async *pieces(projectId: number, signal: AbortSignal): Pieces {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository || !(await hasAny(repository.path))) {
      yield* emptyArchive();
      return;
    }
    // A separate folder: other users of this host must not read what git writes there.
    const folder = await temporaryFolder('bundle');
    const bundle = join(folder, 'project.bundle');
    try {
      await gate.run(() => pack(repository.path, bundle, signal));
      yield* archiveOf('project.bundle', bundle);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

const hasAny = async (path: string): Promise<boolean> =>
  (await gitText(path, ['for-each-ref', '--count=1', '--format=%(refname)', ...PATTERNS])) !== '';

async function pack(path: string, bundle: string, signal: AbortSignal): Promise<void> {
  // HEAD identifies the default branch; an unborn HEAD has nothing to pack.
  const hasHead = await gitTells(path, ['rev-parse', '--verify', '--quiet', 'HEAD']);
  const refs = hasHead ? ['HEAD', ...REFS] : REFS;
  await git(path, ['bundle', 'create', '--quiet', bundle, ...refs], {
    kind: 'long',
    timeoutMs: TIMEOUT_MS,
    signal,
  });
}
