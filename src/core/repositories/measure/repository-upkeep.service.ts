import { Injectable, Logger } from '@nestjs/common';
import type { ChildProcess } from 'node:child_process';
import { killGroup } from '#kernel/processes/process-group.js';
import { keptGits } from '../git/kept/kept-gits.js';
import { inGitPlace, spawnGit, type SpawnOptions } from '../git/processes/spawn-git.js';
import { CommitKeepingService } from '../keep-around/commit-keeping.service.js';
import { RunningPushesService } from '../pushes/running-pushes.service.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';

/** Limits below those of the measuring, since git only guesses. Objects that nobody needs stay for two weeks. */
const GC = [
  ...['-c', 'gc.auto=1500', '-c', 'gc.autoPackLimit=30', '-c', 'gc.autoDetach=false'],
  ...['-c', 'gc.writeCommitGraph=true', 'gc', '--auto', '--quiet'],
];

const STDIO: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'] };

const LOOK_EVERY_MS = 1_000;
const LONGEST_MS = 8 * 60_000;
/** Git takes its lock files away when it is told to end; after so long it is not asked any more. */
const KILL_AFTER_MS = 10_000;

/** Keeps repositories small and quick to read. */
@Injectable()
export class RepositoryUpkeepService {
  private readonly logger = new Logger(RepositoryUpkeepService.name);

  constructor(
    private readonly running: RunningPushesService,
    private readonly repositories: RepositoriesService,
    private readonly keeping: CommitKeepingService,
  ) {}

  /** Packs an untidy repository. It counts as a running push, which a move waits for, and gives way to one. */
  async tidy(repository: OpenRepository, signal: AbortSignal): Promise<void> {
    await this.running.whileWritable(
      repository,
      () => this.givingWay(repository, signal),
      () => undefined,
    );
  }

  private async givingWay(repository: OpenRepository, signal: AbortSignal): Promise<void> {
    const giveWay = new AbortController();
    const timer = setInterval(() => {
      this.mustGiveWay(repository).then(
        (must) => (must ? giveWay.abort() : undefined),
        () => undefined,
      );
    }, LOOK_EVERY_MS);
    try {
      const limit = AbortSignal.any([signal, giveWay.signal, AbortSignal.timeout(LONGEST_MS)]);
      // What rows name is kept first: git takes everything that no ref reaches for garbage.
      await this.keeping.keepAll(repository, limit);
      await this.collect(repository.path, limit);
    } finally {
      clearInterval(timer);
    }
  }

  private async mustGiveWay(repository: OpenRepository): Promise<boolean> {
    const now = await this.repositories.openOrNull(repository);
    return now?.readOnly !== false;
  }

  /** What fails here hurts nobody now: it is tried again after the next push. */
  private collect(path: string, signal: AbortSignal): Promise<void> {
    return inGitPlace('long', path, (place) => this.run(spawnGit(place, GC, STDIO), signal), signal).finally(
      // It would hold packs that are gone.
      () => keptGits.end(path),
    );
  }

  private run(child: ChildProcess, signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      let stderr = '';
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        if (stderr.length < 2_000) stderr += text;
      });
      let killer: NodeJS.Timeout | undefined;
      // The whole group: the processes that do the work are git's own children.
      const stop = (): void => {
        killGroup(child, 'SIGTERM');
        killer = setTimeout(() => killGroup(child, 'SIGKILL'), KILL_AFTER_MS);
      };
      signal.addEventListener('abort', stop, { once: true });
      child.once('error', (error) => this.logger.warn(`git gc: ${error.message}`));
      child.once('close', (code) => {
        clearTimeout(killer);
        signal.removeEventListener('abort', stop);
        if (code !== 0 && !signal.aborted) this.logger.warn(`git gc: ${code}: ${stderr}`);
        resolve();
      });
      if (signal.aborted) stop();
    });
  }
}
