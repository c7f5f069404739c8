/** An environment and all its deployments were removed in this transaction. */
export class EnvironmentRemoved {
  constructor(
    readonly projectId: number,
    /** May be used by another environment from now on. */
    readonly slug: string,
  ) {}
}
