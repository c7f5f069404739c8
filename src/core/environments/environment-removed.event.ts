/** An environment is gone with all its deployments, in this transaction. */
export class EnvironmentRemoved {
  constructor(
    readonly projectId: number,
    /** Free for another environment from now on. */
    readonly slug: string,
  ) {}
}
