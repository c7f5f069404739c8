import type { User } from '../user.entity.js';

/** An existing user has an address that nobody has shown to read yet: it counts for nothing until it is confirmed. */
export class EmailAdded {
  constructor(
    readonly user: User,
    readonly address: string,
  ) {}
}
