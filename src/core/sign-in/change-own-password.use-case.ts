import { Injectable } from '@nestjs/common';
import { hashPassword } from '#kernel/crypto/passwords.js';
import { Transactions } from '#kernel/database/transactions.js';
import { invalid } from '#kernel/http/errors.js';
import { SessionsService, type StartedSession } from '#core/sessions/sessions.service.js';
import { UserPasswordsService } from '#core/users/sign-ins/user-passwords.service.js';
import { passwordProblem } from '#core/users/changes/user-rules.js';
import { UsersService } from '#core/users/users.service.js';
import { PasswordCheckService } from './password-check.service.js';

/** Fields of the form. */
export interface PasswordChange {
  readonly current: string;
  readonly password: string;
  readonly confirmation: string;
  readonly sessionId: number;
}

/** Changes the password of a signed-in user who knows it. */
@Injectable()
export class ChangeOwnPassword {
  constructor(
    private readonly transactions: Transactions,
    private readonly check: PasswordCheckService,
    private readonly users: UsersService,
    private readonly passwords: UserPasswordsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Changes the password, ends all sessions of the user, and starts a new one for this browser.
   * @throws 400 with the problem of each password, 429
   */
  async run(userId: number, change: PasswordChange): Promise<StartedSession> {
    const { current, password, confirmation, sessionId } = change;
    if (!(await this.check.confirm(userId, current))) throw invalid({ current_password: ['is incorrect'] });
    const problem = passwordProblem(password);
    if (problem !== null) throw invalid({ password: [problem] });
    if (password === current) throw invalid({ password: ['must differ from the current one'] });
    if (password !== confirmation) throw invalid({ password_confirmation: ["doesn't match the password"] });
    const digest = await hashPassword(password);
    return this.transactions.run(async (tx) => {
      const user = await this.users.findForUpdate(tx, userId);
      const former = await this.sessions.find(tx, sessionId);
      await this.passwords.change(tx, user, user, digest);
      return this.sessions.create(tx, userId, former.remoteIp, former.userAgent, former.remembered);
    });
  }
}
