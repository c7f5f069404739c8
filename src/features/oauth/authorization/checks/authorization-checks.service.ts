import { Injectable } from '@nestjs/common';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import type { Addressee, AuthorizationRequest } from '../authorization-request.js';
import { returnAddressOf } from '../authorization-response.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';
import { RequestRefused } from '../request-refused.js';
import type { SentParameters } from '../sent-parameters.js';
import { knownClient } from './client.rules.js';
import { judgeRequest } from './request.rules.js';

/** Checks authorization requests. */
@Injectable()
export class AuthorizationChecksService {
  constructor(private readonly applications: ApplicationsQueries) {}

  /**
   * Returns the client of a request and its return address. @throws RequestRefused to be shown only to the
   * visitor
   */
  async addressee(parameters: SentParameters): Promise<Addressee> {
    const uid = parameters.get('client_id');
    const found = uid === null ? null : await this.applications.findByUidOrNull(uid);
    const { application, redirectUri } = knownClient(parameters, found);
    return { application, to: returnAddressOf(parameters, redirectUri) };
  }

  /** Checks the request; `user` is null for anonymous visitors. @throws RequestRefused for the client */
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
