import { Injectable } from '@nestjs/common';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { errorCode } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import { forbidden } from '#kernel/http/errors.js';
import { PROJECT_DEFAULTS } from '#core/projects/settings/project-settings.js';
import type { StoredJobDefinition } from '../jobs/definition/job-definition.entity.js';
import { CANDIDATES, pickingValues, TAKE, type PickingRunner } from './picking.sql.js';
import { JOB_TOKEN_PREFIX } from './job-token-prefix.js';

/** A job taken by a runner, with its token, which is stored only as a digest. */
export interface PickedJob {
  readonly jobId: number;
  readonly projectId: number;
  readonly token: string;
  /** Whether the user of the job is active. */
  readonly mayRun: boolean;
  readonly stored: Pick<StoredJobDefinition, 'definition' | 'playVariables'>;
  /** Running jobs of the project on instance runners, up to `MAX_COUNTED`. */
  readonly others: number;
}

/** Limit of the number of running jobs of the project that instance runners receive. */
export const MAX_COUNTED = 5;

interface TakenRow
  extends
    Pick<PickedJob, 'jobId' | 'mayRun' | 'others'>,
    Pick<StoredJobDefinition, 'definition' | 'playVariables'> {
  readonly isStarted: boolean;
}

/** Attempts of a runner to take a job when other runners are faster. */
const ROUNDS = 3;

const FOREIGN_KEY = '23503';

/** Assigns each waiting job to one runner. */
@Injectable()
export class PickJob {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Takes a job for a runner. No other runner gets it, but no event is published until it starts
   * (`JobStartingService.begin`). `jobAge`: seconds it must have waited. `conflict`: all candidates are being
   * taken by others. @throws 403 if the runner no longer exists
   */
  async run(runner: PickingRunner, jobAge = 0): Promise<PickedJob | 'none' | 'conflict'> {
    for (let round = 1; round <= ROUNDS; round += 1) {
      const values = pickingValues(runner.id, runner, jobAge);
      const projects = await this.database.short<{ id: number }>(CANDIDATES[runner.type], values);
      if (projects.length === 0) return 'none';
      for (const { id } of projects) {
        const picked = await this.take(runner, id, jobAge).catch(refuseRemoved);
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

/** Only the runner may be missing: the rows of jobs lead to nothing else that is set here. */
function refuseRemoved(error: unknown): never {
  throw errorCode(error) === FOREIGN_KEY ? forbidden() : error;
}
