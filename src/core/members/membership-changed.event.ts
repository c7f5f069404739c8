import type { Role } from '#kernel/access/roles.js';
import type { MemberSource } from './member.entity.js';

/** A membership as described to the member. */
export interface ToldMembership {
  readonly userId: number;
  readonly sourceType: MemberSource;
  readonly sourceId: number;
  readonly accessLevel: Role;
  /** Day at whose start it ends. */
  readonly expiresAt: string | null;
}

/**
 * A user became a member, got another role, or will lose the membership within a week; published in the
 * transaction that does or records it.
 */
export class MembershipChanged {
  constructor(
    readonly what: 'added' | 'changed' | 'expiring',
    readonly membership: ToldMembership,
    /** Null for scheduled events. */
    readonly actorId: number | null,
  ) {}
}
