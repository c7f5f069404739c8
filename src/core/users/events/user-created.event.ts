import type { User } from '../user.entity.js';

/**
 * A user, a bot or the ghost has been inserted. The listener that owns namespaces creates the user's own one and claims the
 * path; it throws `usernameTaken()` when somebody else has it.
 */
export class UserCreated {
  constructor(readonly user: User) {}
}
