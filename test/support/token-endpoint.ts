import type { TestApi } from './api.js';
import { CALLBACK, postForm } from './builders/oauth.js';
import type { Answer } from './client.js';

/** Parameters of the token endpoint, or its response. */
export type TokenBody = Record<string, string>;

/** The example of `auth-core.md` 1.6. */
export const VERIFIER = 'ks02i3jdikdo2k0dkfodf3m39rjfjsdk0wk349rj3jrhf';

/** Its S256 challenge. */
export const VERIFIER_CHALLENGE = '2i0WFA-0AerkjQm4X4oDEhqA17QIAKNjXpagHBXmO_U';

/** Outcomes of requests that are refused. */
export const INVALID_GRANT = [400, 'invalid_grant'];
export const INVALID_CLIENT = [401, 'invalid_client'];
export const INVALID_REQUEST = [400, 'invalid_request'];
export const INVALID_SCOPE = [400, 'invalid_scope'];

/** Requests a token. */
export const askToken = (
  api: TestApi,
  values: TokenBody,
  headers: TokenBody = {},
): Promise<Answer<TokenBody>> => postForm(api, '/oauth/token', values, headers);

/** Exchanges a code for CALLBACK; `values` are the rest of the body. */
export const exchangeCode = (
  api: TestApi,
  code: string,
  values: TokenBody,
  headers: TokenBody = {},
): Promise<Answer<TokenBody>> =>
  askToken(api, { grant_type: 'authorization_code', code, redirect_uri: CALLBACK, ...values }, headers);

/** Status and error of a response. */
export const outcome = ({ status, body }: Answer<TokenBody>): unknown => [status, body['error']];
