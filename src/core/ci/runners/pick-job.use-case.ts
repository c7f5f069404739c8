import { Injectable } from '@nestjs/common';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import type { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import { CANDIDATES, pickingValues, TAKE, type PickingRunner } from './picking.sql.js';
import { JOB_TOKEN_PREFIX } from './job-token-prefix.js';

/** A job that a runner has taken, with the token that nobody can read again. */
export interface PickedJob {
  readonly jobId: number;
  readonly projectId: number;
  readonly token: string;
  /** Whether whoever it is for may act. */
  readonly mayRun: boolean;
  readonly stored: Pick<StoredJobDefinition, 'definition' | 'playVariables'>;
  /** Jobs of the project that ran on instance runners before, up to `MAX_COUNTED`. */
  readonly others: number;
}

/** Instance runners are told how many jobs of the project they run, up to here. */
export const MAX_COUNTED = 5;

interface TakenRow
  extends
    Pick<PickedJob, 'jobId' | 'mayRun' | 'others'>,
    Pick<StoredJobDefinition, 'definition' | 'playVariables'> {
  readonly isStarted: boolean;
}

/** How often a runner looks for another job when others are quicker. */
const ROUNDS = 3;

/** Hands waiting jobs to runners, each once. */
@Injectable()
export class PickJob {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Takes a job for a runner: nobody else gets it, but nobody has heard of it either until it begins (`JobStartingService.begin`). `jobAge` is how many seconds it must
   * have waited. `conflict`: there are jobs, but others are about to take them.
   */
  async run(runner: PickingRunner, jobAge = 0): Promise<PickedJob | 'none' | 'conflict'> {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const values = pickingValues(runner.id, runner, jobAge);
      const projects = await this.database.short<{ id: number }>(CANDIDATES[runner.type], values);
      if (projects.length === 0) return 'none';
      for (const { id } of projects) {
        const picked = await this.take(runner, id, jobAge);
        if (picked) return picked;
      }
    }
    return 'conflict';
  }

  private take(runner: PickingRunner, projectId: number, jobAge: number): Promise<PickedJob | null> {
    const token = randomToken(JOB_TOKEN_PREFIX);
    return this.transactions.run(async (tx) => {
      const [taken] = await tx.query<TakenRow[]>(TAKE, [
        ...pickingValues(projectId, runner, jobAge),
        runner.id,
        digestToken(token),
        runner.maximumTimeout,
        PROJECT_DEFAULTS.build_timeout,
        MAX_COUNTED,
      ]);
      if (!taken?.isStarted) return null;
      const { jobId, mayRun, definition, playVariables, others } = taken;
      return { jobId, projectId, token, mayRun, stored: { definition, playVariables }, others };
    });
  }
}
