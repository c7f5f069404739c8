import type { User } from '../user.entity.js';

/** Somebody wants the user to get a mail with which a new password can be set. */
export class PasswordResetRequested {
  constructor(readonly user: User) {}
}
