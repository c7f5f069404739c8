/**
 * The default branch of a project was changed in this transaction; listeners reject an invalid branch with
 * 400.
 */
export class DefaultBranchChanged {
  constructor(
    readonly projectId: number,
    readonly branch: string,
  ) {}
}
