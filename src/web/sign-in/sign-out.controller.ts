import { Controller, Delete, Post } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { ReturnsPage } from '#kernel/html/returns-page.js';
import { SignInService } from '#core/sign-in/sign-in.service.js';
import { Page, PageContext } from '../page-context.js';
import { PendingSignInService } from './pending-sign-in.service.js';
import { forgetReturnPath } from './return-path.js';
import { takeSession } from './session-cookie.js';

/** Signing out. Never by GET, since any page could trigger that with a link. */
@Controller('users/sign_out')
export class SignOutController {
  constructor(
    private readonly signIns: SignInService,
    private readonly pending: PendingSignInService,
  ) {}

  @Post()
  @Access({ page: 'user', expiredPassword: true, withoutSecondFactor: true })
  @ReturnsPage()
  signOut(@Page() page: PageContext): Promise<PageAnswer> {
    return this.end(page);
  }

  @Delete()
  @Access({ page: 'user', expiredPassword: true, withoutSecondFactor: true })
  @ReturnsPage()
  remove(@Page() page: PageContext): Promise<PageAnswer> {
    return this.end(page);
  }

  private async end(page: PageContext): Promise<PageAnswer> {
    if (page.sessionId !== null) await this.signIns.signOut(page.sessionId);
    takeSession(page);
    this.pending.clear(page);
    forgetReturnPath(page);
    return page.redirect('/users/sign_in', { flash: 'signed_out' });
  }
}
