import type { Caller, ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { forbidden, unauthorized } from '#kernel/http/errors.js';
import type { PlanningPlace } from './planning-place.js';

const PARTS = ['issues', 'merge_requests'] as const;

/** Whether issues or merge requests of a project are there for the caller: else there is nothing to plan. */
const plans = ({ settings }: ProjectSubject, role: Role): boolean =>
  PARTS.some((part) => {
    const level = settings[`${part}_access_level`] ?? 'enabled';
    return level !== 'disabled' && (level !== 'private' || role >= Role.Guest);
  });

/** The project or group of a request about labels or milestones. @throws 403, or 401 for anonymous callers, where they are switched off */
export function planningPlace({ subject, role, actor }: Caller): PlanningPlace {
  if (!subject) throw new Error('Labels and milestones stand in a project or a group');
  if (subject.kind === 'Group') return { groupId: subject.id };
  if (!plans(subject, role)) throw actor ? forbidden() : unauthorized();
  return { projectId: subject.id };
}

/** The same to change something: nothing changes in an archived project. @throws 403 */
export function writablePlace(caller: Caller): PlanningPlace {
  if (caller.subject?.kind === 'Project' && caller.subject.archived) throw forbidden();
  return planningPlace(caller);
}
