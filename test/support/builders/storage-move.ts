import { randomUUID } from 'node:crypto';
import type { TestApi } from '../api.js';

/** Values of a move that a test may set; the others are those of a scheduled move. */
export interface MoveFacts {
  readonly ownerType?: 'Project' | 'Group' | 'Snippet';
  readonly ownerId: number;
  readonly state?: 'scheduled' | 'started' | 'replicated' | 'finished' | 'failed' | 'cleanup_failed';
  readonly source?: string;
  readonly destination?: string;
  readonly repositories?: readonly [done: number, total: number];
  readonly bytes?: readonly [done: number, total: number];
  readonly errorMessage?: string | null;
}

/** Inserts a move as if another process ran it, so that no process here processes it. @returns its id */
export async function addMove(api: TestApi, facts: MoveFacts): Promise<number> {
  const { state = 'scheduled', repositories = [0, 0], bytes = [0, 0] } = facts;
  const run = randomUUID();
  const journal = state === 'scheduled' ? [] : [{ step: 'started', run, at: new Date().toISOString() }];
  const [row] = await api.sql<{ id: number }>(
    `insert into storage_moves (owner_type, owner_id, state, source_storage, destination_storage, repositories_done,
       repositories_total, bytes_done, bytes_total, error_message, journal, run_token)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) returning id`,
    [
      facts.ownerType ?? 'Project',
      facts.ownerId,
      state,
      facts.source ?? 'default',
      facts.destination ?? 'second',
      ...repositories,
      ...bytes,
      facts.errorMessage ?? null,
      JSON.stringify(journal),
      run,
    ],
  );
  const id = row?.id ?? 0;
  await api.sql(
    `insert into background_jobs (queue, name, payload, state, run_token, lease_until)
     values ('storage-moves', 'storage-moves.run', $1, 'running', $2, now() + interval '1 hour')`,
    [JSON.stringify({ moveId: id }), run],
  );
  return id;
}
