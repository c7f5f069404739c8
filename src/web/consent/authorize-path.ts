import type { ParameterName, SentParameters } from '#features/oauth/authorization/sent-parameters.js';
import { SIGN_IN_ASKED_AT } from './sent-form.js';

/** Path of the authorization endpoint. */
export const AUTHORIZE_PATH = '/oauth/authorize';

const pathWith = (pairs: readonly (readonly [string, string])[]): string =>
  `${AUTHORIZE_PATH}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;

/**
 * Path of the same request for after the user has signed in again since `askedAt`; null if no sign-in was asked
 * for.
 */
export const pathAfterSignIn = (parameters: SentParameters, askedAt: Date | null): string =>
  pathWith([
    ...Object.entries(parameters.toJSON()),
    ...(askedAt === null ? [] : [[SIGN_IN_ASKED_AT, String(askedAt.getTime())] as const]),
  ]);

/** Path of the same request for a different user: it leads to the sign-in page first. */
export const pathForOtherUser = (parameters: SentParameters): string =>
  pathWith(
    Object.entries({ ...parameters.toJSON(), prompt: 'select_account' } satisfies Partial<
      Record<ParameterName, string>
    >),
  );
