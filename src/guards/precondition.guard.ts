import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { assertMatch } from '#kernel/http/answers/conditional.js';
import { requestOf } from '#kernel/http/request.js';
import { routeInfo } from './access/route-info.js';

/**
 * Behind the guards that refuse, as a condition counts only where the request would be served without it (RFC 9110 13.2.1): `If-Match`. The
 * tags of records are weak and match nothing; files compare theirs when they are sent.
 */
@Injectable()
export class PreconditionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!routeInfo(context).isFile) assertMatch(requestOf(context).headers['if-match'], null);
    return true;
  }
}
