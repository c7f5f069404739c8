/**
 * The row of a user is about to be removed. In this transaction listeners remove what belongs to the user:
 * the personal namespace with its projects and routes and, if `hard`, the groups without another owner.
 * Contributions (rows that refer to the user by a foreign key other than `on delete cascade`) move to the
 * ghost user without a listener. May be published again if the job is repeated.
 */
export class UserDeleted {
  constructor(
    readonly userId: number,
    readonly hard: boolean,
  ) {}
}
