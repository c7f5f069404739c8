import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { Caller } from '#kernel/access/caller.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { looksLikeOauthToken } from '#core/oauth-tokens/oauth-secrets.js';
import { AccessResolverQueries } from '../access/access-resolver.queries.js';
import { findCredential } from './credentials.js';
import type { RouteInfo } from '../access/route-info.js';

/** What the strategy is given in place of the request: the token alone, wherever it was sent, and what resolving it needs. */
export interface BearerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, never>>;
  readonly api: ApiRequest;
  readonly info: RouteInfo;
}

/** Takes bearer tokens (RFC 6750) of every transport; two transports at once are refused by the library. */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly resolver: AccessResolverQueries) {
    super({ passReqToCallback: true });
  }

  async validate(request: unknown, token: string): Promise<Caller> {
    const { api, info } = request as BearerRequest;
    // An OAuth token comes as a bearer token only, never as a private one.
    const isOauth = findCredential(api).kind === 'bearer' && looksLikeOauthToken(token);
    const caller = await this.resolver.resolve(api, info, {
      kind: isOauth ? 'oauth' : 'token',
      secret: token,
    });
    api.access = caller;
    return caller;
  }
}
