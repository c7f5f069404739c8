import type { User } from '../user.entity.js';

/** The username, the name or both have changed; `user` carries the new ones. Listeners throw `usernameTaken()` on a taken path. */
export class UserRenamed {
  constructor(
    readonly user: User,
    readonly formerUsername: string,
  ) {}
}
