/**
 * The default branch of a project was changed in this transaction; listeners reject it with 400 while the
 * project is moved, or if others were pushed in the meantime.
 */
export class DefaultBranchChanged {
  constructor(
    readonly projectId: number,
    readonly branch: string,
  ) {}
}
