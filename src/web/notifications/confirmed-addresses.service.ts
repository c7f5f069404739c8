import { Injectable } from '@nestjs/common';
import { UserEmailsService } from '#core/users/addresses/user-emails.service.js';
import { UsersQueries } from '#core/users/lists/users.queries.js';

/** Provides the addresses to which a user can be emailed. */
@Injectable()
export class ConfirmedAddressesService {
  constructor(
    private readonly users: UsersQueries,
    private readonly emails: UserEmailsService,
  ) {}

  /** Returns the confirmed addresses of a user, the primary one first. */
  async of(userId: number): Promise<string[]> {
    const [user, further] = await Promise.all([this.users.find(userId, userId), this.emails.all(userId)]);
    return [user, ...further].filter(({ confirmed_at: at }) => at !== null).map(({ email }) => email);
  }
}
