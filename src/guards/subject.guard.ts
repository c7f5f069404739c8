import { Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Caller } from '#kernel/access/caller.js';
import { isOpenTo } from '#kernel/access/project-parts.js';
import { Role } from '#kernel/access/roles.js';
import { Config } from '#kernel/config/config.js';
import { HttpError, notFound } from '#kernel/http/errors.js';
import { requestOf, type ApiRequest } from '#kernel/http/request.js';
import { flagActors } from '#core/instance/features/flag-actors.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { routeInfo } from './access/route-info.js';

/** Fifth guard: the subject must exist and be visible to the caller; otherwise 404. */
@Injectable()
export class SubjectGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly settings: SettingsService,
  ) {}

  canActivate(context: ExecutionContext): boolean {
    const { subjectKind } = routeInfo(context);
    if (subjectKind === null) return true;
    const request = requestOf(context);
    const caller = request.access as Caller;
    if (!caller.subject || !isVisible(caller)) throw notFound(subjectKind);
    if (
      caller.subject.kind === 'Project' &&
      caller.subject.byOldPath &&
      this.settings.isEnabled('api_redirect_moved_projects', ...flagActors(caller))
    ) {
      throw this.moved(request, caller.subject.id);
    }
    return true;
  }

  /** Redirects to the same request with the project's id; the host is always our own (`auth-core.md` 5.4). */
  private moved(request: ApiRequest, id: number): HttpError {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      return new HttpError(405, { message: 'Non GET methods are not allowed for moved projects' });
    }
    const target = request.originalUrl.replace(/^(\/(?:api\/v4|-)\/projects\/)[^/?]+/, `$1${id}`);
    const url = this.config.externalUrl + target;
    return new HttpError(
      301,
      { message: `This resource has been moved permanently to ${url}` },
      { Location: url },
    );
  }
}

/** Visibility rules of `auth-core.md` 5.5. */
const isVisible = (caller: Caller): boolean => caller.role >= Role.Minimal || isOpenTo(caller);
