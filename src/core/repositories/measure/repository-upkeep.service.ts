import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import type { ChildProcess } from 'node:child_process';
import { killGroup } from '#kernel/processes/process-group.js';
import { WorkerStopping } from '#kernel/queue/job-processor.js';
import { keptGits } from '../git/kept/kept-gits.js';
import { inGitSlot, spawnGit, type SpawnOptions } from '../git/processes/spawn-git.js';
import { CommitKeepingService } from '../keep-around/commit-keeping.service.js';
import { RunningPushesService } from '../pushes/running-pushes.service.js';
import { RepositoriesService, type OpenRepository } from '../repositories.service.js';

/**
 * Thresholds below those of the measuring, because git only estimates. Unreachable objects are kept for two
 * weeks.
 */
const GC = [
  ...['-c', 'gc.auto=1500', '-c', 'gc.autoPackLimit=30', '-c', 'gc.autoDetach=false'],
  ...['-c', 'gc.writeCommitGraph=true', 'gc', '--auto', '--quiet'],
];

const STDIO: SpawnOptions = { stdio: ['ignore', 'ignore', 'pipe'] };

const LOOK_EVERY_MS = 1_000;
const LONGEST_MS = 8 * 60_000;
/** Git removes its lock files when terminated; after this time it is killed. */
const KILL_AFTER_MS = 10_000;

/** Keeps repositories small and fast to read. */
@Injectable()
export class RepositoryUpkeepService implements OnModuleDestroy {
  private readonly logger = new Logger(RepositoryUpkeepService.name);
  private readonly stopping = new AbortController();

  constructor(
    private readonly running: RunningPushesService,
    private readonly repositories: RepositoriesService,
    private readonly keeping: CommitKeepingService,
  ) {}

  /** Git may collect for minutes, and can begin again: the stop does not wait for it. */
  onModuleDestroy(): void {
    this.stopping.abort(new WorkerStopping());
  }

  /**
   * Packs an untidy repository. Registered like a running push, so that a move waits for it; it yields to a
   * move. @throws WorkerStopping if the process stops in the meantime
   */
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
      const ends = [signal, giveWay.signal, this.stopping.signal, AbortSignal.timeout(LONGEST_MS)];
      const limit = AbortSignal.any(ends);
      // First keep the commits that rows name: git treats everything unreachable from refs as garbage.
      await this.keeping.keepAll(repository, limit);
      await this.collect(repository.path, limit);
      this.stopping.signal.throwIfAborted();
    } finally {
      clearInterval(timer);
    }
  }

  private async mustGiveWay(repository: OpenRepository): Promise<boolean> {
    const now = await this.repositories.openOrNull(repository);
    return now?.readOnly !== false;
  }

  /** A failure is harmless: the next push tries again. */
  private collect(path: string, signal: AbortSignal): Promise<void> {
    return inGitSlot('long', path, (slot) => this.run(spawnGit(slot, GC, STDIO), signal), signal).finally(
      // The kept process would hold removed packs open.
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
      // Kill the whole group: the work is done by child processes of git.
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
