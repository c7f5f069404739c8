/** How the answer goes back to the client (OAuth 2.0 Multiple Response Type Encoding Practices; OAuth 2.0 Form Post Response Mode). */
export const RESPONSE_MODES = ['query', 'fragment', 'form_post'] as const;

/** How the answer of an authorization is returned. */
export type ResponseMode = (typeof RESPONSE_MODES)[number];

/** The mode of this name; null for what is none. */
export const responseModeOf = (name: string): ResponseMode | null =>
  RESPONSE_MODES.find((mode) => mode === name) ?? null;
