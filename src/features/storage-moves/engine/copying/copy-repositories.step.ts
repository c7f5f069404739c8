import { Injectable, Logger } from '@nestjs/common';
import { basename, join } from 'node:path';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { repositoryLabel } from '../../storage-move.js';
import { copyRepository } from './copy-repository.js';
import { makeFolder } from '#kernel/disk/durable.js';
import {
  RepositoryPresenceService,
  type KnownRepository,
} from '#core/repositories/storages/repository-presence.service.js';
import { RepositoryUnavailable } from '#core/repositories/storages/repository-unavailable.js';
import { LeftoversService } from '../cleanup/leftovers.service.js';
import { MoveFailure } from '../run/move-failure.js';
import { MoveJournalService } from '../run/move-journal.service.js';
import { MoveProgress } from '../run/move-progress.js';
import type { MoveRun } from '../run/move-run.js';
import { MoveTimings } from '../run/move-timings.js';
import type { OpenCopy } from './open-copy.js';
import { exists, removeStaging } from '../cleanup/set-aside.js';
import { verifyCopy } from './verify-copy.js';

const KNOWN = `select kind, identity, pushed_at is not null or size_bytes > 0 as "isWritten"
  from repositories where owner_type = $1 and owner_id = $2`;

type Known = Pick<KnownRepository, 'kind' | 'identity' | 'isWritten'>;

/**
 * Copies all repositories of an owner to the folder of this run on the destination, and verifies them there.
 */
@Injectable()
export class CopyRepositoriesStep {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly database: ReadDatabase,
    private readonly presence: RepositoryPresenceService,
    private readonly transactions: Transactions,
    private readonly journal: MoveJournalService,
    private readonly leftovers: LeftoversService,
    private readonly timings: MoveTimings,
  ) {}

  /**
   * Copies them; idempotent: removes remains of previous runs first. @throws MoveFailure and errors of git
   * and disks
   */
  async run(run: MoveRun): Promise<void> {
    const found = await this.present(run);
    await removeStaging(run, run.destinationFolder);
    await this.leftovers.clear(run);
    await this.copy(run, found);
  }

  private async copy(run: MoveRun, found: readonly Omit<OpenCopy, 'digest'>[]): Promise<void> {
    const { signal } = run.context;
    const progress = new MoveProgress(this.transactions, run, found.length, this.timings.progressMs);
    const copies: OpenCopy[] = [];
    if (found.length > 0) await makeFolder(run.staging);
    await progress.settle();
    for (const one of found) {
      const digest = await copyRepository(one, signal, progress);
      copies.push({ ...one, digest });
      progress.repositoryDone();
      await progress.settle();
    }
    await this.journal.record(run, 'copied', { repositories: copies.length });
    for (const copy of copies) await verifyCopy(copy, signal);
    await this.journal.record(
      run,
      'verified',
      Object.fromEntries(copies.map(({ kind, digest }) => [kind, digest])),
    );
    run.copies = copies;
  }

  /** Returns the existing ones. @throws MoveFailure if one is lost: the rest may then be incomplete */
  private async present(run: MoveRun): Promise<Omit<OpenCopy, 'digest'>[]> {
    const { id, ownerType, ownerId } = run.move;
    const known = await this.database.short<Known>(KNOWN, [ownerType, ownerId]);
    const found: Omit<OpenCopy, 'digest'>[] = [];
    for (const { kind, identity, isWritten } of known) {
      const source = run.pathIn(run.sourceFolder, kind);
      const staged = join(run.staging, basename(source));
      const target = run.pathIn(run.destinationFolder, kind);
      const label = repositoryLabel(ownerType, kind);
      const ref = { ownerType, ownerId, kind, storage: run.move.source, identity, isWritten };
      const path = await this.presence.find(ref).catch(async (error: unknown) => {
        if (!(error instanceof RepositoryUnavailable)) throw error;
        const isCopied = await exists(target);
        throw new MoveFailure(
          isCopied
            ? `The ${label} repository is missing, but there is a copy of it at ${target}`
            : `The ${label} repository is not available: ${source}`,
        );
      });
      if (path !== null) found.push({ kind, label, identity, source, staged, target });
    }
    if (found.length === 0) this.logger.log(`Move ${id}: there is no repository to copy`);
    return found;
  }
}
