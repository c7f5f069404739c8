/**
 * The user's row is about to go. In this transaction listeners remove what is the user's own: the personal namespace with
 * its projects and routes and, when `hard`, the groups that nobody else owns. Contributions (rows that name the user by a
 * foreign key other than `on delete cascade`) move to the ghost user without any listener. May be told again when the job is repeated.
 */
export class UserDeleted {
  constructor(
    readonly userId: number,
    readonly hard: boolean,
  ) {}
}
