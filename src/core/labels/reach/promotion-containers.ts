import type { ProjectCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { badRequest, forbidden } from '#kernel/http/errors.js';
import type { NamespacesQueries } from '#core/groups/namespaces/namespaces.queries.js';

/** A project, and the group to which its labels or milestones are promoted. */
interface PromotionContainers {
  readonly projectId: number;
  readonly groupId: number;
}

/**
 * Returns where a label or milestone of the caller's project is promoted to. @throws 403 without the right to
 * plan there, 400 if there is no group
 */
export async function promotionContainers(
  namespaces: NamespacesQueries,
  { subject: project, actor }: ProjectCaller,
  noGroup: string,
): Promise<PromotionContainers> {
  if (project.namespaceType !== 'Group' || !actor) throw badRequest(noGroup);
  const group = await namespaces.findOrNull(actor, project.namespaceId);
  if (!group || group.role < Role.Reporter) throw forbidden();
  return { projectId: project.id, groupId: group.id };
}
