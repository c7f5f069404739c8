import type { Caller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Forbidden } from '#kernel/http/errors.js';
import type { RightsOf } from '#core/repositories/protection/protections.queries.js';

/** Who may read jobs: whoever sees the project, signed in; handlers call `assertMayReadJobs` as well. */
export const JOB_READ = { project: Role.Guest, publicRead: true, feature: 'builds' } as const;

/** The same for everybody, signed in or not: pipelines, artifacts. */
export const JOB_OPEN_READ = { ...JOB_READ, anyone: true } as const;

/** Who may run jobs and pipelines, and report statuses of commits. */
export const JOB_WRITE = { project: Role.Developer, feature: 'builds' } as const;

/** Whether the caller may read the jobs of the project of the request: below Reporter as long as its jobs are public. */
export const mayReadJobs = ({ role, subject }: Caller): boolean =>
  role >= Role.Reporter || (subject?.settings['public_jobs'] ?? true) === true;

/** @throws 403 for whoever sees the project but not its jobs */
export function assertMayReadJobs(caller: Caller): void {
  if (!mayReadJobs(caller)) throw Forbidden();
}

/** The same where the route is about another part of the project. @throws 403 where its pipelines are not for the caller */
export function assertMayReadPipelines(caller: Caller): void {
  const level = caller.subject?.settings['builds_access_level'] ?? 'enabled';
  const isOpen = level !== 'disabled' && (level !== 'private' || caller.role >= Role.Guest);
  if (!isOpen) throw Forbidden();
  assertMayReadJobs(caller);
}

/** Whose rights count for what is done with jobs and pipelines. */
export const rightsOf = ({ actor, role }: Caller): RightsOf => ({ userId: actor?.id ?? 0, role });

/** On whose behalf a pipeline runs that somebody asks for by a request. */
export const askedBy = ({ actor }: Caller): { readonly userId: number; readonly isAdmin: boolean } => ({
  userId: actor?.id ?? 0,
  isAdmin: actor?.admin === true,
});
