/** The user must sign in anew everywhere: the password was changed, or the account may not be used any more. */
export class UserSignedOut {
  constructor(readonly userId: number) {}
}
