import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { AccessRule } from '#kernel/access/access.js';
import type { Caller } from '#kernel/access/caller.js';
import { isOpenTo, mayUsePart } from '#kernel/access/project-parts.js';
import { forbidden, unauthorized } from '#kernel/http/errors.js';
import { requestOf } from '#kernel/http/request.js';
import { routeInfo } from './access/route-info.js';

/**
 * Sixth guard: the role in the subject, the availability of the project feature, and routes for
 * administrators.
 */
@Injectable()
export class RoleGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const { rule } = routeInfo(context);
    const request = requestOf(context);
    const caller = request.access as Caller;
    if (rule.admin && !caller.actor?.admin) throw forbidden();
    const needed = rule.project ?? rule.group;
    if (needed === undefined) return true;
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
    const isThere = rule.feature === undefined || mayUsePart(caller, rule.feature);
    if (!isThere || !(caller.role >= needed || mayReadPublicly(rule, caller))) {
      throw caller.actor ? forbidden() : unauthorized();
    }
    // An archived project is read-only in all its features, including those that no setting controls; the
    // project itself can still be unarchived.
    const isArchived = caller.subject?.kind === 'Project' && caller.subject.archived;
    if (isWrite && isArchived && !rule.archived) throw forbidden();
    return true;
  }
}

/**
 * Anyone who can see the subject without any role may read. The role is required of guests of a private
 * project, and of external users who were added to an internal one.
 */
const mayReadPublicly = (rule: AccessRule, caller: Caller): boolean =>
  rule.publicRead === true && isOpenTo(caller);
