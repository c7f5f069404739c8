import { Injectable } from '@nestjs/common';
import type { Actor } from '#kernel/access/caller.js';
import { Role, Tier } from '#kernel/access/roles.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { requestContext } from '#kernel/log/request-context.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { BranchGuestsPort } from '#core/repositories/protection/branch-guests.port.js';
import { SnippetAccessQueries } from '#core/snippets/access/snippet-access.queries.js';
import { denied, GitRefusal, notAllowed } from '../git-answer.js';
import { readBasic, type BasicCredentials } from './basic-credentials.js';
import { GitAuthenticationService } from './git-authentication.service.js';
import { isAbleTo, type GitCaller } from './git-caller.js';
import { isAt, gitSubjectOf, roleOf, snippetRef, type GitSubject } from './git-subject.js';
import { isVisible, notFoundText, pullRefusal, pushRefusal } from './git-rules.js';
import { TEXTS } from './git-texts.js';
import type { GitTarget } from './git-url.js';

/** Operation of a client. */
export type GitService = 'pull' | 'push';

/** An admitted request. */
export interface Admission {
  readonly subject: GitSubject;
  readonly actor: Actor | null;
  /** Message for the user: the new URL of a renamed repository. */
  readonly notice: string | null;
}

/** Decides who may fetch and push what (`ops.md` 3.2, 3.3). */
@Injectable()
export class GitAccessPolicy {
  constructor(
    private readonly authentication: GitAuthenticationService,
    private readonly settings: SettingsService,
    private readonly snippets: SnippetAccessQueries,
    private readonly guests: BranchGuestsPort,
  ) {}

  /**
   * Admits a request, also during a storage move. @throws 401 before anything about existence is revealed,
   * 403, 404, 429
   */
  async admit(request: ApiRequest, target: GitTarget | null, service: GitService): Promise<Admission> {
    const basic = readBasic(request);
    const caller = await this.callerOf(basic, target, service);
    // A caller with valid credentials is not anonymous.
    if (basic) request.judgeFailure = undefined;
    note(caller.actor);
    if (this.settings.values.enabled_git_access_protocol === 'ssh') throw notAllowed(TEXTS.httpOff);
    if (!isAbleTo(service, caller)) throw notAllowed(service === 'pull' ? TEXTS.tokenPull : TEXTS.tokenPush);
    if (!target) throw notFound('code');
    try {
      const subject =
        target.kind === 'snippet'
          ? await this.snippet(target, caller, service)
          : await this.repository(target, caller, service);
      return { subject, actor: caller.actor, notice: noticeOf(target, subject) };
    } catch (error) {
      // Anonymous callers get nothing more than that.
      if (basic === null && error instanceof GitRefusal) throw denied();
      throw error;
    }
  }

  private callerOf(
    basic: BasicCredentials | null,
    target: GitTarget | null,
    service: GitService,
  ): Promise<GitCaller> {
    if (basic) return this.authentication.resolve(basic, target);
    if (!target || service === 'push') throw denied();
    return this.authentication.nobody(target);
  }

  private async repository(target: GitTarget, caller: GitCaller, service: GitService): Promise<GitSubject> {
    const subject = gitSubjectOf(target, caller, await roleOf(caller));
    if (!subject || !isVisible(subject, caller.actor)) throw notFound(target.kind);
    if (subject.ref.ownerType === 'Group' && this.settings.tier < Tier.Premium)
      throw notAllowed(TEXTS.groupWikiPlan);
    const refusal = service === 'pull' ? pullRefusal(subject, caller.actor) : pushRefusal(subject);
    if (refusal !== null && !(service === 'push' && (await this.isGuest(subject, caller.actor))))
      throw notAllowed(refusal);
    return subject;
  }

  /** Returns whether the caller may push to some branch without a role; push rules decide on which. */
  private async isGuest({ ref, role, level, archived }: GitSubject, actor: Actor | null): Promise<boolean> {
    if (ref.ownerType !== 'Project' || ref.kind !== 'code' || level !== 'enabled' || archived) return false;
    if (actor === null || role >= Role.Developer) return false;
    return (await this.guests.branchesOf(ref.ownerId, actor.id)).size > 0;
  }

  private async snippet(
    target: GitTarget & { kind: 'snippet' },
    caller: GitCaller,
    service: GitService,
  ): Promise<GitSubject> {
    const { actor, row } = caller;
    // Deploy and job tokens are only for code: for snippets they count as anonymous.
    const reader = caller.kind === 'deploy' || caller.kind === 'job' ? null : actor;
    const found = await this.snippets.findOrNull(target.id, reader);
    if (!found || !isAt(found, target, row.project_id) || !found.mayRead) throw notFound('snippet');
    if (service === 'push' && !found.mayWrite) throw notAllowed(TEXTS.pushSnippet);
    if (service === 'push' && row.archived) throw notAllowed(TEXTS.archived);
    return {
      ref: snippetRef(found),
      visibility: 'private',
      level: 'enabled',
      archived: false,
      role: found.role,
      fullPath: found.projectFullPath ?? '',
      defaultBranch: null,
      byOldPath: target.projectPath !== null && row.by_old_path,
      repository: null,
      readOnly: false,
    };
  }
}

const notFound = (kind: GitTarget['kind']): GitRefusal => new GitRefusal(404, notFoundText(kind));

/** Adds the caller to the request log. */
function note(actor: Actor | null): void {
  const context = requestContext.getStore();
  if (!context || !actor) return;
  context.userId = actor.id;
  context.username = actor.username;
}

function noticeOf(target: GitTarget, subject: GitSubject): string | null {
  if (!subject.byOldPath) return null;
  const former = target.kind === 'snippet' ? target.projectPath : target.fullPath;
  const owner = subject.ref.ownerType === 'Group' ? 'Group' : 'Project';
  return `${owner} '${former ?? ''}' was moved to '${subject.fullPath}'.`;
}
