import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { forbidden, unauthorized } from '#kernel/http/errors.js';
import { requestOf } from '#kernel/http/request.js';
import { findCredential } from './credentials/credentials.js';
import { routeInfo } from './access/route-info.js';

/**
 * Second guard: CI job tokens. They are accepted if the rule allows it, from the tier that it names
 * (`decisions.md` 3), and are invalid anywhere else. For a project that the job may not access, the previous
 * guard has found no subject.
 */
@Injectable()
export class JobTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    const { rule } = routeInfo(context);
    if (rule.credential !== undefined || findCredential(request).kind !== 'job') return true;
    if (rule.jobToken === undefined) throw unauthorized();
    if (rule.jobToken !== true && (request.access as Caller).tier < rule.jobToken) throw forbidden();
    return true;
  }
}
