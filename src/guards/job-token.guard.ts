import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Unauthorized } from '#kernel/http/errors.js';
import { requestOf } from '#kernel/http/request.js';
import { findCredential } from './credentials.js';
import { routeInfo } from './route-info.js';

/**
 * Second guard: tokens of running jobs. A token is only as good as the job that runs with it, so while no job runs none is
 * accepted, whatever the route allows.
 */
@Injectable()
export class JobTokenGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request = requestOf(context);
    if (routeInfo(context).rule.credential === undefined && findCredential(request).kind === 'job')
      throw Unauthorized();
    return true;
  }
}
