/** Somebody asks for another default branch, whose row is stored in this transaction; listeners refuse one that cannot be, with 400. */
export class DefaultBranchChanged {
  constructor(
    readonly projectId: number,
    readonly branch: string,
  ) {}
}
