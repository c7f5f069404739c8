import { Injectable } from '@nestjs/common';
import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { flush, makeFolder } from '#kernel/disk/durable.js';
import { MoveFailure } from './run/move-failure.js';
import { MoveJournalService } from './run/move-journal.service.js';
import { MoveOwnersService } from './move-owners.service.js';
import type { MoveRun } from './run/move-run.js';
import type { OpenCopy } from './copying/open-copy.js';
import { digestAt } from './copying/read-refs.js';
import { checksumMismatch } from './copying/verify-copy.js';

const SWITCH = `update storage_moves set state = 'replicated', digest = $2, updated_at = now() where id = $1`;

/** A run that hangs within the transaction must not block others for longer. */
const LIMIT = `set local idle_in_transaction_session_timeout = '15s'`;

/**
 * Switches the owner to the destination. The copies get their final paths in the transaction that records
 * this: without its commit they are leftovers, which the next run removes.
 */
@Injectable()
export class SwitchStorageStep {
  constructor(
    private readonly transactions: Transactions,
    private readonly owners: MoveOwnersService,
    private readonly journal: MoveJournalService,
  ) {}

  /**
   * Switches the storage. @throws MoveFailure if the owner no longer exists, or the source has changed since
   * the copy
   */
  async run(run: MoveRun): Promise<void> {
    // From here on a copy at its final path may belong to this move.
    if (run.copies.length > 0) await this.journal.record(run, 'placing');
    // Not while the owner is locked, for git may take long.
    for (const copy of run.copies) await refuseChanged(copy, run.context.signal);
    const placed = new Set<OpenCopy>();
    await this.transactions.run(async (tx) => {
      await tx.query(LIMIT);
      await this.lockBoth(tx, run);
      for (const copy of run.copies) {
        if (placed.has(copy)) continue;
        await place(copy);
        placed.add(copy);
      }
      await this.owners.place(tx, run.move, run.move.destination);
      await this.journal.append(tx, run, 'replicated');
      await tx.query(SWITCH, [run.move.id, digestOfAll(run.copies)]);
    });
  }

  private async lockBoth(tx: Tx, run: MoveRun): Promise<void> {
    const { ownerType, source } = run.move;
    const owner = await this.owners.lock(tx, run.move);
    if (!owner) throw new MoveFailure(`The ${ownerType.toLowerCase()} has been removed`);
    const { state } = await this.journal.lock(tx, run);
    if (state !== 'started' || owner.storage !== source || !owner.readOnly)
      throw new MoveFailure(`The repository is no longer ready to be moved from ${source}`);
  }
}

/** Detects a lost push that resumed after the copy. */
async function refuseChanged(copy: OpenCopy, signal: AbortSignal): Promise<void> {
  const now = await digestAt(copy.source, signal);
  if (now !== copy.digest) throw checksumMismatch(copy, now);
}

async function place({ staged, target: path }: OpenCopy): Promise<void> {
  await makeFolder(dirname(path));
  await rename(staged, path);
  await flush(dirname(path));
}

/** Returns the digest of the only repository, or a digest of all digests. */
function digestOfAll(copies: readonly OpenCopy[]): string | null {
  const digests = copies.map(({ digest }) => digest);
  return digests.length > 1
    ? createHash('sha256').update(digests.join('\n')).digest('hex')
    : (digests[0] ?? null);
}
