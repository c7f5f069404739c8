/**
 * A project, or a group with all below it, has been moved and no longer stands below some groups; in the transaction that moves it.
 * Listeners part what is below from what it has of those.
 */
export class MovedOutOfGroups {
  constructor(
    readonly moved: { readonly type: 'Project' | 'Group'; readonly id: number },
    /** The groups that were above it and are no more. */
    readonly groupIds: readonly number[],
  ) {}
}
