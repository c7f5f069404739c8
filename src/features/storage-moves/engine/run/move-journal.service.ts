import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { RunLost } from '#kernel/queue/job-processor.js';
import { MOVE_COLUMNS, UNFINISHED, type Move } from '../../storage-move.js';
import type { MoveRun } from './move-run.js';

const ENTRY = `jsonb_build_array(jsonb_build_object('step', $3::text, 'run', $2::text,
  'at', to_char(clock_timestamp() at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) || $4::jsonb)`;

const APPEND = `update storage_moves set journal = journal || ${ENTRY}, updated_at = now()
  where id = $1 and run_token = $2::uuid and ${UNFINISHED} returning id`;

const LOCK = `select ${MOVE_COLUMNS} from storage_moves where id = $1 and run_token = $2 and ${UNFINISHED} for update`;

/** Stores the steps of a move. Everything here fails for a run that has lost its move. */
@Injectable()
export class MoveJournalService {
  constructor(private readonly transactions: Transactions) {}

  /** Records that a step is done. @throws RunLost */
  async record(
    run: MoveRun,
    step: string,
    facts: Readonly<Record<string, string | number>> = {},
  ): Promise<void> {
    await this.transactions.run((tx) => this.append(tx, run, step, facts));
  }

  /** Records it in a transaction. @throws RunLost */
  async append(
    tx: Tx,
    { move, context }: MoveRun,
    step: string,
    facts: Readonly<Record<string, string | number>> = {},
  ): Promise<void> {
    const [rows] = await tx.query<[unknown[], number]>(APPEND, [
      move.id,
      context.runToken,
      step,
      JSON.stringify(facts),
    ]);
    if (rows.length === 0) throw new RunLost(context.jobId);
  }

  /** Returns the present move, locked. @throws RunLost */
  async lock(tx: Tx, { move, context }: MoveRun): Promise<Move> {
    const [row] = await tx.query<Move[]>(LOCK, [move.id, context.runToken]);
    if (!row) throw new RunLost(context.jobId);
    return row;
  }
}
