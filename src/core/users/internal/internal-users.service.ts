import { Injectable } from '@nestjs/common';
import { Transactions, violatedConstraint } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { userWriteError } from '../changes/user-errors.js';
import { User } from '../user.entity.js';
import type { InternalType } from '../user-values.js';
import { UsersService } from '../users.service.js';

/** How such a user is called. */
export interface InternalUser {
  readonly type: InternalType;
  readonly username: string;
  readonly name: string;
  readonly bio: string;
}

/** The users that the product itself has: one of a type at most, made when first needed. */
@Injectable()
export class InternalUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {}

  /** Id of the user of that type. */
  async id(wanted: InternalUser): Promise<number> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.transactions.run(async (tx) => {
          const known = await tx.findOneBy(User, { userType: wanted.type });
          const user = known ?? (await this.users.insert(tx, fieldsOf(wanted, attempt)));
          return user.id;
        });
      } catch (error) {
        // Somebody else has the name, or has just made the user: look again.
        const isTaken = userWriteError(error) instanceof HttpError;
        if (attempt > 20 || !(isTaken || violatedConstraint(error) === `users_${wanted.type}`)) throw error;
      }
    }
  }
}

/** No password, and an address that no mail reaches: nobody can become this user. */
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
