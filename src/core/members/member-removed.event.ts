import type { MemberSource } from './member.entity.js';

/** A membership has ended; listeners unassign the user if `unassignIssuables` is set. */
export class MemberRemoved {
  constructor(
    readonly userId: number,
    readonly sourceType: MemberSource,
    readonly sourceId: number,
    readonly unassignIssuables: boolean,
  ) {}
}
