import { Injectable } from '@nestjs/common';

/** A job that runs now, as far as git needs to know it: it fetches with the rights of its user, where it may go at all. */
export interface RunningJob {
  readonly userId: number;
  /** Whether the job may fetch from a project: its own, and those that let it in. */
  reaches(projectId: number): boolean | Promise<boolean>;
}

/** Finds the running job that a token belongs to, or null. */
export type FindRunningJob = (token: string) => Promise<RunningJob | null>;

/** Tokens of running jobs, for git. Whoever runs jobs answers, from `onModuleInit` on; until then no job runs and no token is one. */
@Injectable()
export class JobTokensRegistry {
  private findJob: FindRunningJob = () => Promise.resolve(null);

  /** Takes over the answers. */
  register(find: FindRunningJob): void {
    this.findJob = find;
  }

  /** The running job of a token, or null. */
  find(token: string): Promise<RunningJob | null> {
    return this.findJob(token);
  }
}
