import { Injectable } from '@nestjs/common';
import { PassportStrategy } from '@nestjs/passport';
import { Strategy } from 'passport-http-bearer';
import type { Caller } from '#kernel/access/caller.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { looksLikeOauthToken } from '#core/oauth-tokens/oauth-secrets.js';
import { AccessResolverQueries } from '../access/access-resolver.queries.js';
import { findCredential } from './credentials.js';
import type { RouteInfo } from '../access/route-info.js';

/**
 * What the strategy gets in place of the request: only the token, wherever it was sent, and what is needed to
 * resolve it.
 */
export interface BearerRequest {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly body: Readonly<Record<string, never>>;
  readonly api: ApiRequest;
  readonly info: RouteInfo;
}

/**
 * Accepts bearer tokens (RFC 6750) from any of the defined locations; the library rejects a request that has
 * two.
 */
@Injectable()
export class BearerStrategy extends PassportStrategy(Strategy, 'bearer') {
  constructor(private readonly resolver: AccessResolverQueries) {
    super({ passReqToCallback: true });
  }

  async validate(request: unknown, token: string): Promise<Caller> {
    const { api, info } = request as BearerRequest;
    // An OAuth token is accepted as a bearer token only, never as a private one.
    const isOauth = findCredential(api).kind === 'bearer' && looksLikeOauthToken(token);
    const caller = await this.resolver.resolve(api, info, {
      kind: isOauth ? 'oauth' : 'token',
      secret: token,
    });
    api.access = caller;
    return caller;
  }
}
