import { Injectable, Logger } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { countMove } from './move-metrics.js';
import { MoveJournalService } from './run/move-journal.service.js';
import { MoveOwnersService } from './move-owners.service.js';
import type { MoveRun } from './run/move-run.js';
import { MoveSlotsLimit } from '../move-slots.limit.js';
import type { MoveState } from '../storage-move.js';

const END = `update storage_moves set state = $2, error_message = $3, updated_at = now() where id = $1`;

/** Final state of a move. */
type End = Extract<MoveState, 'finished' | 'failed' | 'cleanup_failed'>;

/** Ends moves: makes the owner writable and wakes moves that wait for slots, in one transaction. */
@Injectable()
export class EndMoveStep {
  private readonly logger = new Logger('StorageMoves');

  constructor(
    private readonly transactions: Transactions,
    private readonly owners: MoveOwnersService,
    private readonly journal: MoveJournalService,
    private readonly slots: MoveSlotsLimit,
  ) {}

  /** Ends the move. @throws RunLost */
  async run(run: MoveRun, state: End, errorMessage: string | null): Promise<void> {
    const { id, ownerType, ownerId, source, destination } = run.move;
    await this.transactions.run(async (tx) => {
      await this.owners.lock(tx, run.move);
      await this.journal.lock(tx, run);
      await this.journal.append(tx, run, state);
      await tx.query(END, [id, state, errorMessage]);
      await this.owners.setReadOnly(tx, run.move, false);
      await this.slots.wake(tx);
    });
    countMove(state);
    const what = `Move ${id} of ${ownerType} ${ownerId} from ${source} to ${destination}`;
    if (errorMessage === null) this.logger.log(`${what} has finished`);
    else this.logger.error(`${what} ended as ${state}: ${errorMessage}`);
  }
}
