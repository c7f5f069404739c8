import type { User } from '../user.entity.js';

/**
 * The username or name was changed; `user` has the new ones. Listeners throw `usernameTaken()` if the path is
 * taken.
 */
export class UserRenamed {
  constructor(
    readonly user: User,
    readonly formerUsername: string,
  ) {}
}
