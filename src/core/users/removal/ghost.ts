import { Injectable } from '@nestjs/common';
import { Transactions, violatedConstraint } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { User } from '../user.entity.js';
import { userWriteError } from '../changes/user-errors.js';
import { UsersService } from '../users.service.js';

/** The user that inherits what removed users did; there is one at most, made when first needed. */
@Injectable()
export class Ghost {
  constructor(
    private readonly transactions: Transactions,
    private readonly users: UsersService,
  ) {}

  /** Id of the ghost. */
  async id(): Promise<number> {
    for (let attempt = 0; ; attempt += 1) {
      const username = attempt === 0 ? 'ghost' : `ghost${attempt}`;
      try {
        return await this.transactions.run(async (tx) => {
          const known = await tx.findOneBy(User, { userType: 'ghost' });
          const ghost = known ?? (await this.users.insert(tx, ghostNamed(username)));
          return ghost.id;
        });
      } catch (error) {
        // Somebody else has the name, or has just made the ghost: look again.
        const isTaken = userWriteError(error) instanceof HttpError;
        if (attempt > 20 || !(isTaken || violatedConstraint(error) === 'users_ghost')) throw error;
      }
    }
  }
}

const ghostNamed = (username: string): Partial<User> => ({
  username,
  name: 'Ghost User',
  email: `${username}@users.noreply.invalid`,
  bio: 'This is a "Ghost User", created to hold all issues authored by users that have since been deleted.',
  userType: 'ghost',
  confirmedAt: new Date(),
  canCreateGroup: false,
  projectsLimit: 0,
});
