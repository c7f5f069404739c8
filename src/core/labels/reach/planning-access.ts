import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden, unauthorized } from '#kernel/http/errors.js';
import type { PlanningContainer } from './planning-container.js';

const PARTS = ['issues', 'merge_requests'] as const;

/**
 * Returns whether the caller can use issues or merge requests of a project; else there is nothing to plan.
 */
const plans = ({ settings }: ProjectSubject, role: Role): boolean =>
  PARTS.some((part) => {
    const level = settings[`${part}_access_level`] ?? 'enabled';
    return level !== 'disabled' && (level !== 'private' || role >= Role.Guest);
  });

/**
 * Returns the project or group of a request about labels or milestones. @throws 403, or 401 for anonymous
 * callers, if they are disabled
 */
export function planningContainer({ subject, role, actor }: Caller): PlanningContainer {
  if (!subject) throw new Error('Labels and milestones belong to a project or a group');
  if (subject.kind === 'Group') return { groupId: subject.id };
  if (!plans(subject, role)) throw actor ? forbidden() : unauthorized();
  return { projectId: subject.id };
}

/** Returns the same for a change: archived projects are read-only. @throws 403 */
export function writableContainer(caller: Caller): PlanningContainer {
  if (caller.subject?.kind === 'Project' && caller.subject.archived) throw forbidden();
  return planningContainer(caller);
}
