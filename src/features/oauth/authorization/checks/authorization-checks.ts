import { Injectable } from '@nestjs/common';
import { ApplicationsQueries } from '#core/oauth-tokens/applications/applications.queries.js';
import type { Addressee, AuthorizationRequest } from '../authorization-request.js';
import { returnAddressOf, type ReturnAddress } from '../authorization-response.js';
import type { AuthorizingUser } from '../authorizing-user.queries.js';
import { clientGiven, clientKnown, codeFlowAllowed, redirectUriRegistered } from './client-checks.js';
import { challengeGiven, challengeMethodSupported, challengeWellFormed } from './code-challenge-checks.js';
import type { Inquiry } from './inquiry.js';
import { maxAgeIsNumber, noneStandsAlone, promptsKnown } from './prompt-checks.js';
import type { Refusal } from '../refusal.js';
import { RequestRefused } from '../request-refused.js';
import {
  eachParameterOnce,
  noRequestObject,
  responseModeSupported,
  responseTypeGiven,
  responseTypeSupported,
} from './request-shape-checks.js';
import { grantableByUser, scopeGiven, scopesAskedFor, scopesWithinReach } from './scope-checks.js';
import type { SentParameters } from '../sent-parameters.js';

/** Rows 1 to 4 of `auth-core.md` 1.2: what fails here is told to the visitor, never to a redirect URI. */
const CLIENT_CHECKS = [clientGiven, clientKnown, codeFlowAllowed, redirectUriRegistered];

/** Rows 5 to 9, with the other checks where they belong: what fails here is told to the client. The first failure counts. */
const REQUEST_CHECKS = [
  eachParameterOnce,
  responseTypeGiven,
  scopeGiven,
  responseTypeSupported,
  responseModeSupported,
  noRequestObject,
  scopesWithinReach,
  grantableByUser,
  challengeMethodSupported,
  challengeGiven,
  challengeWellFormed,
  promptsKnown,
  noneStandsAlone,
  maxAgeIsNumber,
];

/** Judges authorization requests. */
@Injectable()
export class AuthorizationChecks {
  constructor(private readonly applications: ApplicationsQueries) {}

  /** The client of a request, and where it may be answered. @throws RequestRefused for the visitor's eyes only */
  async addressee(parameters: SentParameters): Promise<Addressee> {
    const uid = parameters.get('client_id');
    const application = uid === null ? null : await this.applications.findByUidOrNull(uid);
    pass(CLIENT_CHECKS, { parameters, application }, null);
    const redirectUri = parameters.get('redirect_uri');
    if (!application || redirectUri === null) throw new Error('A check of clients has let nothing pass');
    return { application, to: returnAddressOf(parameters, redirectUri) };
  }

  /** The request as it may be granted; `user` is null for a visitor who is not signed in. @throws RequestRefused for the client */
  request(
    { application, to }: Addressee,
    parameters: SentParameters,
    user: AuthorizingUser | null,
  ): AuthorizationRequest {
    const inquiry: Inquiry = { parameters, application, user };
    pass(REQUEST_CHECKS, inquiry, to);
    return {
      application,
      to,
      parameters,
      scopes: scopesAskedFor(inquiry) ?? [],
      codeChallenge: parameters.get('code_challenge'),
      nonce: parameters.get('nonce'),
    };
  }
}

function pass<Subject>(
  checks: readonly ((subject: Subject) => Refusal | null)[],
  subject: Subject,
  to: ReturnAddress | null,
): void {
  for (const check of checks) {
    const refusal = check(subject);
    if (refusal) throw new RequestRefused(refusal, to);
  }
}
