import type { User } from '../user.entity.js';

/** An existing user added an unconfirmed address, which has no effect until it is confirmed. */
export class EmailAdded {
  constructor(
    readonly user: User,
    readonly address: string,
  ) {}
}
