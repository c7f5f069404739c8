import type { Caller } from '#kernel/access/caller.js';
import { mayReadJobs, mayReadPipelines, maySeeCode } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';

/**
 * Access to jobs for signed-in users who can see the project; handlers must also call `assertMayReadJobs`.
 */
export const JOB_READ = { project: Role.Guest, publicRead: true, feature: 'builds' } as const;

/** The access of `JOB_READ` also for anonymous callers: pipelines and artifacts. */
export const JOB_OPEN_READ = { ...JOB_READ, anyone: true } as const;

/** Access for running jobs and pipelines, and for reporting commit statuses. */
export const JOB_WRITE = { project: Role.Developer, feature: 'builds' } as const;

/** Asserts that the caller may read jobs. @throws 403 if they see the project but not its jobs */
export function assertMayReadJobs(caller: Caller): void {
  if (!mayReadJobs(caller)) throw forbidden();
}

/**
 * What the caller sees in records of jobs and deployments: readers of a deployment need not have access to
 * its job.
 */
export interface JobSight {
  readonly jobs: boolean;
  /** Details of commits beyond their ids. */
  readonly code: boolean;
}

/** Returns what the caller sees in the project of the request. */
export const jobSightOf = (caller: Caller): JobSight => ({
  jobs: mayReadPipelines(caller),
  code: maySeeCode(caller),
});

/** Asserts that the caller may read pipelines, on routes of another part of the project. @throws 403 */
export function assertMayReadPipelines(caller: Caller): void {
  if (!mayReadPipelines(caller)) throw forbidden();
}

/** Returns the user and role that determine the rights on jobs and pipelines. */
export const rightsOf = ({ actor, role }: Caller): RightsOf => ({ userId: actor?.id ?? 0, role });

/** Returns the user for whom a requested pipeline runs. */
export const askedBy = ({ actor }: Caller): { readonly userId: number; readonly isAdmin: boolean } => ({
  userId: actor?.id ?? 0,
  isAdmin: actor?.admin === true,
});
