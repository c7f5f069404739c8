import { Injectable } from '@nestjs/common';
import { violatedConstraint } from '#kernel/database/statements/database-errors.js';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { userWriteError } from '../changes/user-errors.js';
import { User } from '../user.entity.js';
import type { InternalType } from '../user-values.js';
import { UsersService } from '../users.service.js';

/** Names of an internal user. */
export interface InternalUser {
  readonly type: InternalType;
  readonly username: string;
  readonly name: string;
  readonly bio: string;
}

/** Manages the internal users of the product: at most one per type, created when first needed. */
@Injectable()
export class InternalUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {}

  /** Returns the id of the user of this type. */
  async id(wanted: InternalUser): Promise<number> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.transactions.run(async (tx) => {
          const known = await tx.findOneBy(User, { userType: wanted.type });
          const user = known ?? (await this.users.insert(tx, fieldsOf(wanted, attempt)));
          return user.id;
        });
      } catch (error) {
        // The name is taken, or the user was just created concurrently: look again.
        const isTaken = userWriteError(error) instanceof HttpError;
        if (attempt > 20 || !(isTaken || violatedConstraint(error) === `users_${wanted.type}`)) throw error;
      }
    }
  }
}

/** Without a password and with an unreachable address, so that signing in as this user is impossible. */
function fieldsOf({ type, username: wanted, name, bio }: InternalUser, attempt: number): Partial<User> {
  const username = attempt === 0 ? wanted : `${wanted}${attempt}`;
  return {
    username,
    name,
    email: `${username}@users.noreply.invalid`,
    bio,
    userType: type,
    confirmedAt: new Date(),
    canCreateGroup: false,
    projectsLimit: 0,
  };
}
