import type { ParameterName, SentParameters } from '#features/oauth/authorization/sent-parameters.js';
import { SIGN_IN_ASKED_AT } from './sent-form.js';

/** Where applications send their users. */
export const AUTHORIZE_PATH = '/oauth/authorize';

const pathWith = (pairs: readonly (readonly [string, string])[]): string =>
  `${AUTHORIZE_PATH}?${pairs.map((pair) => pair.map(encodeURIComponent).join('=')).join('&')}`;

/** The path that asks the same again, once the user has signed in since `askedAt`. */
export const pathAfterSignIn = (parameters: SentParameters, askedAt: Date): string =>
  pathWith([...Object.entries(parameters.toJSON()), [SIGN_IN_ASKED_AT, String(askedAt.getTime())]]);

/** The path that asks the same of another user: it leads to the sign-in page first. */
export const pathForOtherUser = (parameters: SentParameters): string =>
  pathWith(
    Object.entries({ ...parameters.toJSON(), prompt: 'select_account' } satisfies Partial<
      Record<ParameterName, string>
    >),
  );
