/**
 * Ways to return the response (OAuth 2.0 Multiple Response Type Encoding Practices; OAuth 2.0 Form Post
 * Response Mode).
 */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;

/** Way to return the response. */
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** Returns the mode with a name; null if it is invalid. */
export const responseModeOf = (name: string): ResponseMode | null =>
  RESPONSE_MODES.find((mode) => mode === name) ?? null;
