import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { notFound, unauthorized } from '#kernel/http/errors.js';
import { requestOf } from '#kernel/http/request.js';
import { JobTokenGuard } from './job-token.guard.js';
import { RoleGuard } from './role.guard.js';
import { routeInfo } from './access/route-info.js';
import { SubjectGuard } from './subject.guard.js';
import { SudoGuard } from './sudo.guard.js';
import { TierGuard } from './tier.guard.js';
import { TokenGuard } from './token.guard.js';

/**
 * After all other guards: lets long-lived responses check again, by the same guards, whether the caller is
 * still authorized.
 */
@Injectable()
export class ReadmissionGuard implements CanActivate {
  private readonly others: readonly CanActivate[];

  constructor(
    private readonly tokens: TokenGuard,
    jobTokens: JobTokenGuard,
    sudo: SudoGuard,
    subjects: SubjectGuard,
    roles: RoleGuard,
    tiers: TierGuard,
  ) {
    this.others = [jobTokens, sudo, subjects, roles, tiers];
  }

  canActivate(context: ExecutionContext): boolean {
    if (routeInfo(context).rule.lasting)
      requestOf(context).readmit = (): Promise<void> => this.judge(context);
    return true;
  }

  private async judge(context: ExecutionContext): Promise<void> {
    const request = requestOf(context);
    const { actor, subject } = request.access as Caller;
    await this.tokens.judgeAgain(context);
    for (const guard of this.others) await guard.canActivate(context);
    const now = request.access as Caller;
    // The name given in `sudo` may belong to another user by now, and the path to another project.
    if (now.actor?.id !== actor?.id) throw unauthorized();
    if (subject && now.subject?.id !== subject.id) throw notFound(subject.kind);
  }
}
