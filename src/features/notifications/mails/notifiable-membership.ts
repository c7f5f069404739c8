import type { MembershipChanged } from '#core/members/membership-changed.event.js';
import type { NotifiableEvent } from '../recipients/notifiable-event.js';

const KINDS = {
  added: 'member_added',
  changed: 'member_changed',
  expiring: 'membership_expiring',
} as const;

/** Returns the notification event for a membership. */
export function notifiableMembership({ what, membership, actorId }: MembershipChanged): NotifiableEvent {
  const { userId, sourceType, sourceId, accessLevel, expiresAt } = membership;
  const isProject = sourceType === 'Project';
  return {
    kind: KINDS[what],
    target: { type: isProject ? 'Project' : 'Group', id: sourceId },
    projectId: isProject ? sourceId : null,
    groupId: isProject ? null : sourceId,
    actorId,
    mentionedUserIds: [userId],
    membership: { accessLevel, expiresAt },
  };
}
