import { Injectable, Logger } from '@nestjs/common';
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { MOVE_KINDS, repositoryLabel } from '../storage-move.js';
import { copyRepository } from './copy-repository.js';
import { makeFolder } from './durable.js';
import { Leftovers } from './leftovers.js';
import { MoveFailure } from './move-failure.js';
import { MoveJournal } from './move-journal.js';
import { MoveProgress } from './move-progress.js';
import { MOVES_FOLDER, type MoveRun } from './move-run.js';
import { MoveTimings } from './move-timings.js';
import type { OpenCopy } from './open-copy.js';
import { exists, namesIn, removeStaging } from './set-aside.js';
import { verifyCopy } from './verify-copy.js';

const KNOWN = 'select 1 from repositories where owner_type = $1 and owner_id = $2 limit 1';

/** Copies all repositories of an owner into the folder of this run on the destination, and checks them there. */
@Injectable()
export class CopyRepositories {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly journal: MoveJournal,
    private readonly leftovers: Leftovers,
    private readonly timings: MoveTimings,
  ) {}

  /** Repeatable: whatever former runs have left is removed first. @throws MoveFailure and errors of git and disks */
  async run(run: MoveRun): Promise<void> {
    await mkdir(run.destinationFolder, { recursive: true });
    await this.refuseMissingStorage(run);
    await removeStaging(run, run.destinationFolder);
    await this.leftovers.clear(run);
    await this.copy(run, await this.present(run));
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

  /** Those that exist on the disk: one that is missing has nothing to be moved. */
  private async present(run: MoveRun): Promise<Omit<OpenCopy, 'digest'>[]> {
    const { id, ownerType } = run.move;
    const found: Omit<OpenCopy, 'digest'>[] = [];
    for (const kind of MOVE_KINDS[ownerType].repositories) {
      const source = run.placeIn(run.sourceFolder, kind);
      const staged = join(run.staging, basename(source));
      const place = run.placeIn(run.destinationFolder, kind);
      if (await exists(source))
        found.push({ kind, label: repositoryLabel(ownerType, kind), source, staged, place });
    }
    if (found.length === 0) this.logger.log(`Move ${id}: there is no repository to be copied`);
    return found;
  }

  /** A disk that is not mounted looks as if all repositories were missing: the move must not take that for nothing to do. */
  private async refuseMissingStorage({ move, sourceFolder }: MoveRun): Promise<void> {
    if ((await namesIn(sourceFolder)).some((name) => name !== MOVES_FOLDER)) return;
    if (await this.database.one(KNOWN, [move.ownerType, move.ownerId]))
      throw new MoveFailure(`The storage ${move.source} has nothing in its folder ${sourceFolder}`);
  }
}
