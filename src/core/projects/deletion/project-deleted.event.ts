/** A project's row is about to go, in this transaction; listeners remove what names it without a foreign key. */
export class ProjectDeleted {
  constructor(readonly projectId: number) {}
}
