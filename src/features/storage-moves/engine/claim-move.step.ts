import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { JobContext } from '#kernel/queue/job-processor.js';
import { leasedSql } from '#kernel/queue/outbox/leased.sql.js';
import { StoragesService } from '#core/repositories/storages.service.js';
import { MoveSlotsLimit } from '../move-slots.limit.js';
import { hasEnded, MOVE_COLUMNS, type Move } from '../storage-move.js';
import { MoveFailure } from './run/move-failure.js';
import { MoveJournalService } from './run/move-journal.service.js';
import { MoveOwnersService } from './move-owners.service.js';
import { MoveRun } from './run/move-run.js';

/** Limit of runs of a move, if they are lost repeatedly. */
const MAX_RUNS = 10;

const FIND = `select ${MOVE_COLUMNS} from storage_moves where id = $1`;

/** A second job for a move that another job is running has nothing to do. */
const IS_CARRIED_OUT = `select 1 from storage_moves m join ${leasedSql('run_token', 'running')} j on j.run_token = m.run_token
  where m.id = $1 and j.run_token <> $2`;

const TAKE = `update storage_moves set run_token = $2, state = case state when 'scheduled' then 'started' else state end, updated_at = now()
  where id = $1`;

/** Decides whether a run may carry out a move, and takes it over from a previous run. */
@Injectable()
export class ClaimMoveStep {
  constructor(
    private readonly transactions: Transactions,
    private readonly owners: MoveOwnersService,
    private readonly slots: MoveSlotsLimit,
    private readonly journal: MoveJournalService,
    private readonly storages: StoragesService,
  ) {}

  /**
   * Returns a run with the move in its present state; null if there is nothing to do, or no slot (freeing one
   * wakes it).
   */
  async claim(moveId: number, context: JobContext): Promise<MoveRun | null> {
    return this.transactions.run(async (tx) => {
      const move = await this.lock(tx, moveId, context);
      if (!move) return null;
      if (move.state === 'scheduled' && !(await this.slots.isFree(tx, move))) return null;
      return this.take(tx, move, context);
    });
  }

  /** Returns a run only to end the move; null if it has ended or another run carries it out. */
  async claimToFail(moveId: number, context: JobContext): Promise<MoveRun | null> {
    return this.transactions.run(async (tx) => {
      const move = await this.lock(tx, moveId, context);
      return move && this.take(tx, move, context);
    });
  }

  /** Asserts that the move has not had too many runs. @throws MoveFailure */
  refuseTooManyRuns({ move }: MoveRun): void {
    const runs = move.journal.filter(({ step }) => step === 'started').length;
    if (runs > MAX_RUNS) throw new MoveFailure('The move was interrupted too often');
  }

  /** Locks the owner before the move, in the order used everywhere. */
  private async lock(tx: Tx, moveId: number, { runToken }: JobContext): Promise<Move | null> {
    const [found] = await tx.query<Move[]>(FIND, [moveId]);
    if (!found || hasEnded(found.state)) return null;
    await this.owners.lock(tx, found);
    const [move] = await tx.query<Move[]>(`${FIND} for update`, [moveId]);
    if (!move || hasEnded(move.state)) return null;
    const others = await tx.query<unknown[]>(IS_CARRIED_OUT, [moveId, runToken]);
    return others.length > 0 ? null : move;
  }

  private async take(tx: Tx, move: Move, context: JobContext): Promise<MoveRun> {
    await tx.query(TAKE, [move.id, context.runToken]);
    const state = move.state === 'scheduled' ? 'started' : move.state;
    const run = new MoveRun({ ...move, state }, context, this.storages);
    await this.journal.append(tx, run, 'started');
    return run;
  }
}
