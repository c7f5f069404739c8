import type { INestApplicationContext } from '@nestjs/common';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  MoveCountsQueries,
  type FailedMove,
  type MoveCounts,
} from '#features/storage-moves/move-counts.queries.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { MoveBars } from './move-bars.js';

const POLL_MS = 300;

/** Without a service that runs jobs, the moves would never start. */
const BEGIN_WITHIN_MS = 60_000;

/** Shows the progress of moves until all have ended. @throws CommandError if none of them starts */
export async function waitForMoves(
  app: INestApplicationContext,
  ids: readonly number[],
  asJson: boolean,
): Promise<CommandResult> {
  const moves = app.get(MoveCountsQueries, { strict: false });
  const bars = new MoveBars(ids.length, asJson);
  const begun = performance.now();
  try {
    for (;;) {
      const counts = await moves.count(ids);
      bars.show(counts);
      if (counts.finished + counts.failed === ids.length) return result(counts, await moves.failed(ids));
      if (counts.begun === 0 && performance.now() - begun > BEGIN_WITHIN_MS)
        throw new CommandError(
          `No worker is running, so none of the ${ids.length} moves has started. They stay scheduled.`,
        );
      await sleep(POLL_MS);
    }
  } finally {
    bars.end();
  }
}

function result({ finished, failed, bytesDone }: MoveCounts, failures: readonly FailedMove[]): CommandResult {
  return {
    json: { moves: finished + failed, finished, failed, bytes: bytesDone, failures },
    lines: [
      `${finished} of ${finished + failed} moves finished, ${bytesDone} bytes copied`,
      ...failures.map(
        ({ id, owner_id: owner, state, error_message: text }) =>
          `Move ${id} of ${owner} ${state}: ${text ?? ''}`,
      ),
    ],
    exitCode: failed === 0 ? 0 : 1,
  };
}
