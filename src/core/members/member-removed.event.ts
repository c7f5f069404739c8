import type { MemberSource } from './member.entity.js';

/** A membership has ended; those who hang tasks on members listen when `unassignIssuables` is set. */
export class MemberRemoved {
  constructor(
    readonly userId: number,
    readonly sourceType: MemberSource,
    readonly sourceId: number,
    readonly unassignIssuables: boolean,
  ) {}
}
