import type { Caller } from '#kernel/access/caller.js';
import { mayReadJobs, mayReadPipelines, maySeeCode } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';

/** Who may read jobs: whoever sees the project, signed in; handlers call `assertMayReadJobs` as well. */
export const JOB_READ = { project: Role.Guest, publicRead: true, feature: 'builds' } as const;

/** The same for everybody, signed in or not: pipelines, artifacts. */
export const JOB_OPEN_READ = { ...JOB_READ, anyone: true } as const;

/** Who may run jobs and pipelines, and report statuses of commits. */
export const JOB_WRITE = { project: Role.Developer, feature: 'builds' } as const;

/** @throws 403 for whoever sees the project but not its jobs */
export function assertMayReadJobs(caller: Caller): void {
  if (!mayReadJobs(caller)) throw forbidden();
}

/** What of the records of jobs and deployments the caller sees: who sees a deployment need not see the job that made it. */
export interface JobSight {
  readonly jobs: boolean;
  /** Commits beyond their ids. */
  readonly code: boolean;
}

/** What the caller sees of them in the project of the request. */
export const jobSightOf = (caller: Caller): JobSight => ({
  jobs: mayReadPipelines(caller),
  code: maySeeCode(caller),
});

/** The same where the route is about another part of the project. @throws 403 where its pipelines are not for the caller */
export function assertMayReadPipelines(caller: Caller): void {
  if (!mayReadPipelines(caller)) throw forbidden();
}

/** Whose rights count for what is done with jobs and pipelines. */
export const rightsOf = ({ actor, role }: Caller): RightsOf => ({ userId: actor?.id ?? 0, role });

/** On whose behalf a pipeline runs that somebody asks for by a request. */
export const askedBy = ({ actor }: Caller): { readonly userId: number; readonly isAdmin: boolean } => ({
  userId: actor?.id ?? 0,
  isAdmin: actor?.admin === true,
});
