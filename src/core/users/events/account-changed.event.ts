import type { User } from '../user.entity.js';

/** Something was changed that lets somebody into an account. `user` is as it was before: there its owner reads mail. */
export class AccountChanged {
  constructor(
    readonly user: User,
    readonly what: 'password' | 'primary address' | 'two-factor authentication',
  ) {}
}
