/** All sessions of the user must end: the password was changed, or the account is no longer usable. */
export class UserSignedOut {
  constructor(readonly userId: number) {}
}
