/**
 * The row of a project is about to be removed in this transaction; listeners remove rows that refer to it
 * without a foreign key.
 */
export class ProjectDeleted {
  constructor(readonly projectId: number) {}
}
