import type { User } from './user.entity.js';

/** A user has a further address that nobody has shown to read yet: it counts for nothing until it is confirmed. */
export class EmailAdded {
  constructor(
    readonly user: User,
    readonly address: string,
  ) {}
}
