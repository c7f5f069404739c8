import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { FormBody } from '#kernel/http/form-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { CLIENT_PARAMETERS, isAuthentic, sentClient, type SentClient } from '../client-authentication.js';
import { FormParameters } from '../form-parameters.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import { Unstored } from '../unstored.js';
import { IntrospectionQueries, type ClientInquiry, type InspectedToken } from './introspection.queries.js';
import { IntrospectionRecord } from './introspection.record.js';

const PARAMETERS = [...CLIENT_PARAMETERS, 'token', 'token_type_hint'] as const;
const BEARER = /^bearer +(\S.*)$/i;
const NOBODY =
  'Request need to be authorized. Required parameter for authorizing request is missing or invalid.';

/** Introspects tokens for clients and resource servers (`auth-core.md` 1.10, RFC 7662). */
@Controller('oauth/introspect')
export class IntrospectionController {
  constructor(private readonly queries: IntrospectionQueries) {}

  @Post()
  @HttpCode(200)
  @Access({ credential: 'oauth' })
  @FormBody(PARAMETERS)
  @Returns(IntrospectionRecord)
  @Unstored()
  async create(@Req() request: ApiRequest): Promise<IntrospectionRecord> {
    const form = FormParameters.of(request.body, PARAMETERS);
    const bearer = BEARER.exec(request.headers.authorization ?? '')?.[1];
    const client = sentClient(request, form);
    if (client && bearer !== undefined) throw oauthError('invalid_request');
    if (!client && bearer === undefined) throw oauthError('invalid_request', { description: NOBODY });
    const token = form.get('token');
    if (token === null) throw missingParameter('token');
    const known = client
      ? forClient(client, await this.queries.byClient(client.id, token))
      : await this.forBearer(bearer ?? '', token);
    return known?.isActive ? present(known) : { active: false };
  }

  /** A token can introspect those of its application; one without an application, those of its user. */
  private async forBearer(bearer: string, secret: string): Promise<InspectedToken | null> {
    const { bearer: caller, token, isItself } = await this.queries.byBearer(bearer, secret);
    if (!caller || isItself) throw oauthError('invalid_token', { state: 'unauthorized' });
    if (token?.applicationId !== caller.applicationId) return null;
    return caller.applicationId === null && token.userId !== caller.userId ? null : token;
  }
}

/**
 * A client can introspect its own tokens; one without a secret cannot be authenticated, and must send a
 * token.
 */
function forClient(sent: SentClient, found: ClientInquiry | null): InspectedToken | null {
  if (!found || found.clientId === null || sent.secrets.length === 0 || !isAuthentic(found, sent))
    throw oauthError('invalid_client', { basic: sent.isBasic });
  return found.applicationId === found.clientId ? found : null;
}

const present = (token: InspectedToken): IntrospectionRecord => ({
  active: true,
  scope: token.scopes.join(' '),
  client_id: token.applicationUid,
  token_type: 'Bearer',
  ...(token.isRefresh ? {} : { exp: token.expiresAt }),
  iat: token.createdAt,
});
