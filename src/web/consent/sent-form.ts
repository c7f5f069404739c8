import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '#kernel/http/request.js';
import { SentParameters } from '#features/oauth/authorization/sent-parameters.js';

/**
 * Field of the consent forms with the sealed request that the page showed. Its name keeps it out of the logs.
 */
export const SHOWN_FIELD = 'request_token';

/**
 * Our own parameter with the time at which this request was sent to the sign-in page, in milliseconds since
 * 1970.
 */
export const SIGN_IN_ASKED_AT = 'sign_in_asked_at';

/** An authorization request as received, with what our own pages add to it. */
export interface SentForm {
  readonly parameters: SentParameters;
  readonly shown: unknown;
  readonly signInAskedAt: Date | null;
  /** Whether this is a HEAD request, which must have no effect. */
  readonly isHead: boolean;
}

/**
 * Parameter decorator for the authorization request. It is not bound to a parameter class, since its errors
 * are reported to the client in OAuth's terms, in the order of `auth-core.md` 1.2.
 */
export const AuthorizationForm = createParamDecorator(
  (_data: unknown, context: ExecutionContext): SentForm => {
    const request = requestOf(context);
    const body = (request.body ?? {}) as Readonly<Record<string, unknown>>;
    const isHead = request.method === 'HEAD';
    return {
      parameters: SentParameters.of(request.originalUrl, isHead || request.method === 'GET' ? null : body),
      shown: body[SHOWN_FIELD],
      signInAskedAt: timeOf(request.originalUrl),
      isHead,
    };
  },
);

function timeOf(url: string): Date | null {
  const digits = new RegExp(`[?&]${SIGN_IN_ASKED_AT}=(\\d{1,15})(?:&|$)`).exec(url)?.[1];
  return digits === undefined ? null : new Date(Number(digits));
}
