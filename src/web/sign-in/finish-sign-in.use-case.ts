import { Injectable } from '@nestjs/common';
import type { PageAnswer } from '#kernel/html/page-answer.js';
import { requestContext } from '#kernel/log/request-context.js';
import { SignInService } from '#core/sign-in/sign-in.service.js';
import type { PageContext } from '../page-context.js';
import { PendingSignInService, type PendingVisitor } from './pending-sign-in.service.js';
import { forgetReturnPath, returnPathOf } from './return-path.js';
import { giveSession } from './session-cookie.js';

/** Default page after signing in. */
export const START_PAGE = '/-/profile';

/**
 * The last step of every sign-in: starts the session, sets the cookies and redirects to the requested page.
 */
@Injectable()
export class FinishSignIn {
  constructor(
    private readonly signIns: SignInService,
    private readonly pending: PendingSignInService,
  ) {}

  /**
   * Signs in a user who has passed all steps; null if the account has since been closed or requires another
   * step.
   */
  async run(
    page: PageContext,
    visitor: PendingVisitor,
    { hasSecondFactor = false } = {},
  ): Promise<PageAnswer | null> {
    const signedIn = await this.signIns.complete({
      ...visitor,
      hasSecondFactor,
      remoteIp: requestContext.getStore()?.remoteIp ?? null,
      userAgent: page.userAgent,
      formerSessionId: page.sessionId,
    });
    if (!signedIn) return null;
    const target = returnPathOf(page) ?? START_PAGE;
    giveSession(page, signedIn.session);
    this.pending.clear(page);
    forgetReturnPath(page);
    return page.redirect(target, signedIn.isReactivated ? { flash: 'reactivated' } : {});
  }
}
