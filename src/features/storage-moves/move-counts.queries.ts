import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** Progress of several moves together. */
export interface MoveCounts {
  readonly begun: number;
  readonly finished: number;
  readonly failed: number;
  /** Of moves that have started. */
  readonly bytesDone: number;
  readonly bytesTotal: number;
}

/** A move that failed. */
export interface FailedMove {
  readonly id: number;
  readonly owner_id: number;
  readonly state: string;
  readonly error_message: string | null;
}

const COUNT = `select count(*) filter (where state <> 'scheduled')::int as begun,
    count(*) filter (where state = 'finished')::int as finished,
    count(*) filter (where state in ('failed', 'cleanup_failed'))::int as failed,
    coalesce(sum(bytes_done), 0)::bigint as "bytesDone", coalesce(sum(bytes_total), 0)::bigint as "bytesTotal"
  from storage_moves where id = any($1::bigint[])`;

const FAILED = `select id, owner_id, replace(state, '_', ' ') as state, error_message from storage_moves
  where id = any($1::bigint[]) and state in ('failed', 'cleanup_failed') order by id`;

/** Reads the progress of several moves, for clients that scheduled them and wait. */
@Injectable()
export class MoveCountsQueries {
  constructor(private readonly database: ReadDatabase) {}

  async count(ids: readonly number[]): Promise<MoveCounts> {
    const [row] = await this.database.long<MoveCounts>(COUNT, [ids]);
    return row ?? { begun: 0, finished: 0, failed: 0, bytesDone: 0, bytesTotal: 0 };
  }

  failed(ids: readonly number[]): Promise<FailedMove[]> {
    return this.database.long<FailedMove>(FAILED, [ids]);
  }
}
