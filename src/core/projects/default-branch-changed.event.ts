/**
 * The default branch of a project was changed in this transaction; listeners reject it with 400 while the
 * project is moved, or if others were pushed meanwhile.
 */
export class DefaultBranchChanged {
  constructor(
    readonly projectId: number,
    readonly branch: string,
  ) {}
}
