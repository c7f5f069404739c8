import { Injectable } from '@nestjs/common';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { JobProcessor, type JobContext } from '#kernel/queue/job-processor.js';
import { RowsApart } from '#kernel/queue/rows-apart.js';
import { CiProjectsQueries } from '#core/ci/creation/ci-projects.queries.js';
import { EnvironmentsService } from '../environments.service.js';
import { DUE, StopDueEnvironmentsJob } from './stop-due-environments.job.js';
import { isDue, StopEnvironments } from './stop-environments.use-case.js';
import { StopJobsQueries } from './stop-jobs.queries.js';

interface Due {
  readonly id: number;
  readonly projectId: number;
}

const NEXT = `select id, project_id as "projectId" from environments
  where ${DUE} and id > $1 order by id limit 100`;

const FORGET = `update environments set auto_stop_at = null where project_id = $1 and id = $2 and ${DUE}`;

/** Stops them one by one, each for the user who last deployed to it. */
@Injectable()
export class StopDueEnvironmentsProcessor extends JobProcessor<Readonly<Record<string, never>>> {
  readonly job = StopDueEnvironmentsJob;

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly projects: CiProjectsQueries,
    private readonly jobs: StopJobsQueries,
    private readonly environments: EnvironmentsService,
    private readonly stopping: StopEnvironments,
  ) {
    super();
  }

  async process(_payload: Readonly<Record<string, never>>, { signal }: JobContext): Promise<void> {
    const apart = new RowsApart('environments due to be stopped', signal);
    for (let after = 0; ;) {
      const due = await this.database.short<Due>(NEXT, [after]);
      for (const environment of due) await apart.attempt(environment.id, () => this.stop(environment));
      after = due.at(-1)?.id ?? after;
      if (due.length === 0) break;
    }
    apart.end();
  }

  private async stop({ id, projectId }: Due): Promise<void> {
    const [job] = await this.jobs.of(projectId, id);
    if (!job) return this.stopAtOnce(projectId, id);
    const project = await this.projects.find(projectId, job.deployerId);
    // Nothing runs in a project that is to be deleted; if it is restored, the environment is still due.
    if (!project) return;
    const { user } = project;
    // A user who is gone, blocked or no longer a developer has no rights left to play the stop job with.
    if (!user || user.role < Role.Developer) return this.forget(projectId, id);
    try {
      await this.stopping.run(projectId, id, { userId: user.id, role: user.role }, 'when due');
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      // Its stop job cannot be played for that user: the environment runs until a user stops it.
      await this.forget(projectId, id);
    }
  }

  /** Stops the environment only if it is still due. */
  private stopAtOnce(projectId: number, id: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      const environment = await this.environments.lockOrNull(tx, projectId, id);
      if (environment && (await isDue(tx, environment))) await this.environments.stop(tx, environment);
    });
  }

  /** Forgets the time of an environment, unless a deployment has just set another. */
  private forget(projectId: number, id: number): Promise<void> {
    return this.transactions.run(async (tx) => {
      await tx.query(FORGET, [projectId, id]);
    });
  }
}
