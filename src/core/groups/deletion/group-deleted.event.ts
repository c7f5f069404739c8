/**
 * The row of a group is about to be removed in this transaction; listeners remove rows that refer to it
 * without a foreign key.
 */
export class GroupDeleted {
  constructor(readonly groupId: number) {}
}
