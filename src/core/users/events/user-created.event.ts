import type { User } from '../user.entity.js';

/**
 * A user, a bot or the ghost was inserted. The listener of namespaces creates its namespace and claims the
 * path; it throws `usernameTaken()` if the path is taken.
 */
export class UserCreated {
  constructor(readonly user: User) {}
}
