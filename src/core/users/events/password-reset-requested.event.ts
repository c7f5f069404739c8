import type { User } from '../user.entity.js';

/** A mail with a link to set a new password was requested for the user. */
export class PasswordResetRequested {
  constructor(readonly user: User) {}
}
