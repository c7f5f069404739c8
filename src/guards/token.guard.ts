import { Injectable, type ExecutionContext } from '@nestjs/common';
import { AuthGuard } from '@nestjs/passport';
import type { Caller } from '#kernel/access/caller.js';
import { assertLasting } from '#kernel/access/credential-bounds.js';
import { BASIC_CHALLENGE, HttpError, unauthorized } from '#kernel/http/errors.js';
import { Links } from '#kernel/http/links.js';
import { requestOf, responseOf, type ApiRequest } from '#kernel/http/request.js';
import { AccessResolverQueries } from './access/access-resolver.queries.js';
import { assertActive } from './access/account-state.js';
import type { BearerRequest } from './credentials/bearer.strategy.js';
import { findCredential, type SentCredential } from './credentials/credentials.js';
import { lateRefusal, type LateRefusal } from './credentials/late-refusal.js';
import { noteCaller } from './access/note-caller.js';
import { PageAccessPolicy } from './credentials/page-access.policy.js';
import { routeInfo, type RouteInfo } from './access/route-info.js';
import { assertScope } from './access/scopes.js';
import { ThrottleLimit } from './throttle.limit.js';

/**
 * First guard: finds the credential, resolves the caller and rejects what no later guard can accept: 401, 403
 * for scopes. Pages have their own rules.
 */
@Injectable()
export class TokenGuard extends AuthGuard('bearer') {
  constructor(
    private readonly resolver: AccessResolverQueries,
    private readonly throttle: ThrottleLimit,
    private readonly links: Links,
    private readonly pages: PageAccessPolicy,
  ) {
    super();
  }

  override canActivate(context: ExecutionContext): boolean | Promise<boolean> {
    const info = routeInfo(context);
    if (info.rule.credential === undefined) return this.admit(context, info);
    const { credential } = info.rule;
    const caller = credential === 'operator' ? this.resolver.anonymous() : this.resolver.nobody();
    const isRefused = lateRefusal(credential, requestOf(context));
    return caller instanceof Promise
      ? caller.then((known) => this.admitNobody(context, known, isRefused))
      : this.admitNobody(context, caller, isRefused);
  }

  /**
   * Admits requests to routes with their own credentials, which are checked later, as anonymous. Those of
   * programs count only if their credential is refused: a job must not be able to use up the requests of its
   * runner by anonymous ones.
   */
  private admitNobody(
    context: ExecutionContext,
    caller: Caller,
    isRefused: LateRefusal | null,
  ): boolean | Promise<boolean> {
    const request = requestOf(context);
    request.access = caller;
    noteCaller(caller, request);
    const count = (): Promise<void> | undefined => this.throttle.admit(request, responseOf(context), caller);
    if (isRefused === null) return count()?.then(() => true) ?? true;
    request.countAnonymous = async () => count();
    // Counts a refused credential like a guessed token.
    request.judgeFailure = async (error) => {
      if (!isRefused(error)) return error;
      try {
        await count();
        return error;
      } catch (limited) {
        return limited;
      }
    };
    return true;
  }

  private async admit(context: ExecutionContext, info: RouteInfo): Promise<boolean> {
    const request = requestOf(context);
    const response = responseOf(context);
    if (info.rule.page !== undefined) {
      await this.pages.admit(request, response, info);
      return true;
    }
    if (info.rule.basic) request.challenge = BASIC_CHALLENGE;
    const sent = findCredential(request, info.rule.basic);
    let caller: Caller;
    try {
      caller = await this.authenticate(context, request, info, sent);
    } catch (error) {
      // Guessed tokens count towards the rate limit of anonymous requests.
      await this.throttle.admit(request, response, await this.resolver.nobody());
      throw error;
    }
    request.access = caller;
    noteCaller(caller, request);
    const counting = this.throttle.admit(request, response, caller);
    if (counting) await counting;
    this.assertReaches(request, info, caller);
    return true;
  }

  /**
   * Checks the credential of a request again, for a long-lived response, without counting towards the rate
   * limit. @throws what a new request would get
   */
  async judgeAgain(context: ExecutionContext): Promise<void> {
    const info = routeInfo(context);
    const request = requestOf(context);
    if (info.rule.page !== undefined) return this.pages.judgeAgain(request, info);
    const caller = await this.authenticate(context, request, info, findCredential(request));
    request.access = caller;
    this.assertReaches(request, info, caller);
  }

  private assertReaches(request: ApiRequest, info: RouteInfo, caller: Caller): void {
    if (caller.owner) {
      assertActive(caller.owner, this.links.base);
      assertScope(caller, info.rule, request.method);
      if (info.rule.makesCredential) assertLasting(caller.credential);
    } else if (findCredential(request).kind !== 'job' && info.rule.anyone === undefined) {
      throw unauthorized();
    }
  }

  /** Passes the strategy a stand-in for the request that contains nothing but its token. */
  override getRequest(context: ExecutionContext): BearerRequest {
    const api = requestOf(context);
    const info = routeInfo(context);
    const sent = findCredential(api);
    const header =
      sent.kind === 'private' ? `Bearer ${sent.token}` : sent.kind === 'bearer' ? sent.header : undefined;
    const parameter = sent.kind === 'bearer' ? sent.parameter : undefined;
    return { headers: { authorization: header }, query: { access_token: parameter }, body: {}, api, info };
  }

  override handleRequest<T>(error: unknown, user: T, _info: unknown, context: ExecutionContext): T {
    if (error) throw error as Error;
    if (user) return user;
    const sent = findCredential(requestOf(context));
    if (sent.kind === 'bearer' && sent.header !== undefined && sent.parameter !== undefined) {
      throw new HttpError(400, {
        error: 'invalid_request',
        error_description: 'Both Authorization header and payload includes access token.',
      });
    }
    throw unauthorized();
  }

  private async authenticate(
    context: ExecutionContext,
    request: ApiRequest,
    info: RouteInfo,
    sent: SentCredential,
  ): Promise<Caller> {
    const isOpen = info.rule.anyone && sent.kind === 'none' && info.subjectKind === null;
    if (isOpen) return this.resolver.nobody();
    // A job gets a specific error if what it requests is reserved for people.
    if (sent.kind === 'job' && (info.rule.jobToken !== undefined || info.rule.makesCredential)) {
      return this.resolver.resolve(request, info, { kind: 'job', secret: sent.token });
    }
    if (sent.kind === 'none' || sent.kind === 'job') {
      return this.resolver.resolve(request, info, null);
    }
    if (sent.kind === 'session') {
      return this.resolver.resolve(request, info, { kind: 'session', secret: sent.secret, csrf: sent.csrf });
    }
    await super.canActivate(context);
    return request.access as Caller;
  }
}
