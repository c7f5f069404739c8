import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { SentParameters } from './sent-parameters.js';

/** Time after which a page must be loaded again. */
const LIFE_MS = 3_600_000;

/** The request that a consent page has shown. */
export interface ShownRequest {
  readonly parameters: SentParameters;
  /**
   * Returns whether the present result of the checks is what was shown: the same application with the same
   * name, and the same scopes.
   */
  matches(request: AuthorizationRequest): boolean;
}

interface Sealed {
  readonly parameters: Readonly<Record<string, string>>;
  readonly judged: string;
  readonly until: number;
}

/**
 * Binds an approval to what was shown: the page contains the whole request, sealed for its session, and
 * nothing else is granted. This defeats changed forms and applications that request more in the meantime
 * (CVE-2020-13300).
 */
@Injectable()
export class ShownRequestsService {
  constructor(private readonly box: SecretBox) {}

  /** Seals a request for the page of this session. */
  seal(request: AuthorizationRequest, sessionId: number): string {
    const sealed: Sealed = {
      parameters: request.parameters.toJSON(),
      judged: judgedPart(request),
      until: Date.now() + LIFE_MS,
    };
    return this.box.seal(JSON.stringify(sealed), purpose(sessionId));
  }

  /** Opens what was sealed for this session; null for anything else, and after an hour. */
  open(sealed: unknown, sessionId: number): ShownRequest | null {
    if (typeof sealed !== 'string') return null;
    let shown: Sealed;
    try {
      shown = JSON.parse(this.box.open(sealed, purpose(sessionId))) as Sealed;
    } catch {
      return null;
    }
    if (shown.until < Date.now()) return null;
    const parameters = SentParameters.from(shown.parameters);
    return { parameters, matches: (request) => judgedPart(request) === shown.judged };
  }
}

const purpose = (sessionId: number): string => `consent:${sessionId}`;

/** Facts that may change while the parameters stay the same. */
const judgedPart = ({ application, scopes, to }: AuthorizationRequest): string =>
  JSON.stringify([application.id, application.name, application.ownerId, scopes, to.redirectUri]);
