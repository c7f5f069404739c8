import { Injectable } from '@nestjs/common';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import type { Addressee, AuthorizationRequest } from '../authorization-request.js';
import { returnAddressOf } from '../authorization-response.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';
import { RequestRefused } from '../request-refused.js';
import type { SentParameters } from '../sent-parameters.js';
import { knownClient } from './client.rules.js';
import { judgeRequest } from './request.rules.js';

/** Judges authorization requests. */
@Injectable()
export class AuthorizationChecksService {
  constructor(private readonly applications: ApplicationsQueries) {}

  /** The client of a request, and where it may be answered. @throws RequestRefused for the visitor's eyes only */
  async addressee(parameters: SentParameters): Promise<Addressee> {
    const uid = parameters.get('client_id');
    const found = uid === null ? null : await this.applications.findByUidOrNull(uid);
    const { application, redirectUri } = knownClient(parameters, found);
    return { application, to: returnAddressOf(parameters, redirectUri) };
  }

  /** The request as it may be granted; `user` is null for a visitor who is not signed in. @throws RequestRefused for the client */
  request(
    { application, to }: Addressee,
    parameters: SentParameters,
    user: AuthorizingUser | null,
  ): AuthorizationRequest {
    const scopes = judgeRequest({ parameters, application, user });
    if ('error' in scopes) throw new RequestRefused(scopes, to);
    return {
      application,
      to,
      parameters,
      scopes,
      codeChallenge: parameters.get('code_challenge'),
      nonce: parameters.get('nonce'),
    };
  }
}
