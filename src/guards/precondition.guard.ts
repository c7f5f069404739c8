import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { assertMatch } from '#kernel/http/answers/conditional.js';
import { requestOf } from '#kernel/http/request.js';
import { routeInfo } from './access/route-info.js';

/**
 * Evaluates `If-Match`. It comes after the guards that reject requests, since a condition counts only if the
 * request would otherwise succeed (RFC 9110 13.2.1). The tags of records are weak and never match; those of
 * files are compared when the file is sent.
 */
@Injectable()
export class PreconditionGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!routeInfo(context).isFile) assertMatch(requestOf(context).headers['if-match'], null);
    return true;
  }
}
