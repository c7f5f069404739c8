import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { AuthorizationRequest } from './authorization-request.js';
import { SentParameters } from './sent-parameters.js';

/** How long a page may be looked at before it has to be shown anew. */
const LIFE_MS = 3_600_000;

/** What a consent page has shown to somebody. */
export interface ShownRequest {
  readonly parameters: SentParameters;
  /** Whether the request as it is judged now is the one that was shown: same application, same scopes, with the same name. */
  matches(request: AuthorizationRequest): boolean;
}

interface Sealed {
  readonly parameters: Readonly<Record<string, string>>;
  readonly judged: string;
  readonly until: number;
}

/**
 * Binds an approval to what was shown: the page carries the whole request, sealed for its session, and nothing else is granted.
 * Neither a changed form nor an application that asks for more meanwhile gets past it (CVE-2020-13300).
 */
@Injectable()
export class ShownRequestsService {
  constructor(private readonly box: SecretBox) {}

  /** Seals a request for the page that shows it in this session. */
  seal(request: AuthorizationRequest, sessionId: number): string {
    const sealed: Sealed = {
      parameters: request.parameters.toJSON(),
      judged: judgedPart(request),
      until: Date.now() + LIFE_MS,
    };
    return this.box.seal(JSON.stringify(sealed), purpose(sessionId));
  }

  /** What was sealed for this session; null for anything else, and after an hour. */
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

/** What may have changed since, although the parameters are the same. */
const judgedPart = ({ application, scopes, to }: AuthorizationRequest): string =>
  JSON.stringify([application.id, application.name, application.ownerId, scopes, to.redirectUri]);
