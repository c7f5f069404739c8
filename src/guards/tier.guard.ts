import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { forbidden } from '#kernel/http/errors.js';
import { requestOf } from '#kernel/http/request.js';
import { routeInfo } from './access/route-info.js';

/** Last guard that can reject a request: the tier of the instance. */
@Injectable()
export class TierGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { tier } = routeInfo(context).rule;
    const caller = requestOf(context).access as Caller;
    if (tier !== undefined && caller.tier < tier) throw forbidden();
    return true;
  }
}
