/**
 * A project, or a group with everything below, was moved and has left some groups; published in the
 * transaction of the move. Listeners detach from it what belongs to those groups.
 */
export class MovedOutOfGroups {
  constructor(
    readonly moved: { readonly type: 'Project' | 'Group'; readonly id: number },
    /** The former ancestors that it has left. */
    readonly groupIds: readonly number[],
  ) {}
}
