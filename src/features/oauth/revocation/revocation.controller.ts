import { Controller, HttpCode, Post, Req } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { FormBody } from '#kernel/http/form-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { SettingsService } from '#core/instance/settings/settings.service.js';
import { CLIENT_PARAMETERS, isAuthentic, sentClient, type SentClient } from '../client-authentication.js';
import { FormParameters } from '../form-parameters.js';
import { missingParameter, oauthError } from '../oauth-error.js';
import { Unstored } from '../unstored.js';
import { RevokeToken } from './revoke-token.use-case.js';
import { RevokedTokensQueries, type RevokedTokenRow } from './revoked-tokens.queries.js';
import { RevokedRecord } from './revoked.record.js';

const PARAMETERS = [...CLIENT_PARAMETERS, 'token', 'token_type_hint'] as const;

/** Revokes tokens (`auth-core.md` 1.9, RFC 7009). */
@Controller('oauth/revoke')
export class RevocationController {
  constructor(
    private readonly settings: SettingsService,
    private readonly tokens: RevokedTokensQueries,
    private readonly revocation: RevokeToken,
  ) {}

  @Post()
  @HttpCode(200)
  @Access({ credential: 'oauth' })
  @FormBody(PARAMETERS)
  @Returns(RevokedRecord)
  @Unstored()
  async create(@Req() request: ApiRequest): Promise<RevokedRecord> {
    const form = FormParameters.of(request.body, PARAMETERS);
    const sent = sentClient(request, form);
    const secret = form.get('token');
    if (secret === null) throw missingParameter('token');
    const isRefresh = form.get('token_type_hint') === 'refresh_token';
    const { client, token } = await this.tokens.find(sent?.id ?? '', secret, isRefresh);
    const clientId = sent && client && isAuthentic(client, sent) ? client.id : null;
    if (!token) {
      // The response does not tell a guess, so it must be counted.
      if (clientId === null || sent?.secrets.length === 0) await request.countAnonymous?.();
      return {};
    }
    if (!this.isAllowed(token, sent, clientId)) throw oauthError('unauthorized_client');
    await this.revocation.run(token);
    return {};
  }

  /**
   * Returns whether a client may revoke the token: its own; without a client, tokens that need no secret, if
   * the instance allows it.
   */
  private isAllowed(token: RevokedTokenRow, sent: SentClient | null, clientId: number | null): boolean {
    if (sent) return clientId !== null && (token.applicationId === null || token.applicationId === clientId);
    return token.isConfidential !== true && this.settings.values.password_grant_without_client;
  }
}
