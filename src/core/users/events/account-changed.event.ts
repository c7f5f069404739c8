import type { User } from '../user.entity.js';

/**
 * Credentials of an account were changed. `user` is the state before, whose email address its owner reads.
 */
export class AccountChanged {
  constructor(
    readonly user: User,
    readonly what: 'password' | 'primary address' | 'two-factor authentication',
  ) {}
}
