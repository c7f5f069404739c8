import { Injectable } from '@nestjs/common';
import { rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { Transactions } from '#kernel/database/transactions.js';
import type { RepositoryKind } from '#core/repositories/repository-ref.js';
import { MOVE_KINDS, repositoryLabel } from '../../storage-move.js';
import { MoveFailure } from '../run/move-failure.js';
import { MoveJournalService } from '../run/move-journal.service.js';
import { MoveOwnersService } from '../move-owners.service.js';
import type { MoveRun } from '../run/move-run.js';
import { digestAt } from '../copying/read-refs.js';
import { discardAsides, exists, removeStaging, takeAway } from './set-aside.js';

/** Removes what the owner left on the source, and all folders of the move. */
@Injectable()
export class CleanUpStep {
  constructor(
    private readonly transactions: Transactions,
    private readonly owners: MoveOwnersService,
    private readonly journal: MoveJournalService,
  ) {}

  /** Cleans up; idempotent. @throws MoveFailure and errors of disks if something remains */
  async run(run: MoveRun): Promise<void> {
    if (!run.inPlace) {
      await this.refuseMissingCopies(run);
      for (const kind of MOVE_KINDS[run.move.ownerType].repositories) {
        // A repository that was not copied may not belong to this owner.
        if (verifiedDigest(run, kind) === undefined) continue;
        const path = run.pathIn(run.sourceFolder, kind);
        const check = (aside: string): Promise<void> => keepChanged(run, kind, aside);
        await takeAway(run, run.sourceFolder, path, check);
        await discardAsides(run, run.sourceFolder, basename(path), check);
      }
      await removeStaging(run, run.sourceFolder);
      await removeStaging(run, run.destinationFolder);
    }
    await this.journal.record(run, 'removed');
  }

  /**
   * Checks the copies, for example against an unmounted disk: what is on the source, or was set aside, may be
   * the only copy.
   */
  private async refuseMissingCopies(run: MoveRun): Promise<void> {
    const { ownerType } = run.move;
    for (const kind of MOVE_KINDS[ownerType].repositories) {
      const path = run.pathIn(run.destinationFolder, kind);
      if (verifiedDigest(run, kind) === undefined || (await exists(path))) continue;
      // A removed owner takes its repositories along.
      if (!(await this.transactions.run((tx) => this.owners.lock(tx, run.move)))) return;
      throw new MoveFailure(
        `The copy of the ${repositoryLabel(ownerType, kind)} repository is not in its place: ${path}`,
      );
    }
  }
}

/** Returns the digest with which a repository was verified, by this run or the one that switched. */
function verifiedDigest({ move, copies }: MoveRun, kind: RepositoryKind): unknown {
  const copy = copies.find((one) => one.kind === kind);
  return copy?.digest ?? move.journal.findLast(({ step }) => step === 'verified')?.[kind];
}

/** A process that was paused for long may have pushed after the switch: then an operator must examine it. */
async function keepChanged(run: MoveRun, kind: RepositoryKind, aside: string): Promise<void> {
  if ((await digestAt(aside, run.context.signal)) === verifiedDigest(run, kind)) return;
  const kept = join(dirname(aside), `kept-${run.move.id}-${basename(run.pathIn('', kind))}`);
  await rename(aside, kept);
  const label = repositoryLabel(run.move.ownerType, kind);
  throw new MoveFailure(`The ${label} repository changed after it had been copied; it is kept at ${kept}`);
}
