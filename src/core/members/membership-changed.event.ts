import type { Role } from '#kernel/access/roles.js';
import type { MemberSource } from './member.entity.js';

/** A membership as those who have it are told of it. */
export interface ToldMembership {
  readonly userId: number;
  readonly sourceType: MemberSource;
  readonly sourceId: number;
  readonly accessLevel: Role;
  /** From this day on it is over. */
  readonly expiresAt: string | null;
}

/** Somebody was made a member, got another role, or will be no member any more within a week; in the transaction that does or notes it. */
export class MembershipChanged {
  constructor(
    readonly what: 'added' | 'changed' | 'expiring',
    readonly membership: ToldMembership,
    /** Null for what happens by itself. */
    readonly actorId: number | null,
  ) {}
}
