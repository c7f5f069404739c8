import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { requestOf } from '#kernel/http/request.js';
import { SentParameters } from '#features/oauth/authorization/sent-parameters.js';

/** Field of the consent forms that carries the sealed request which the page has shown; by its name it is kept out of logs. */
export const SHOWN_FIELD = 'request_token';

/** Parameter of our own that says when this request was sent to the sign-in page, in milliseconds since 1970. */
export const SIGN_IN_ASKED_AT = 'sign_in_asked_at';

/** An authorization request as it came, with what our own pages add to it. */
export interface SentForm {
  readonly parameters: SentParameters;
  readonly shown: unknown;
  readonly signInAskedAt: Date | null;
  /** Only the head of the answer is wanted: nothing may come of it. */
  readonly isHead: boolean;
}

/**
 * Hands a handler the authorization request. It is not bound to a parameter class: what is wrong with it is told to the client in
 * the words of OAuth, in the order of `auth-core.md` 1.2.
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
