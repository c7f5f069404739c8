import { oauthError } from './oauth-error.js';

/** Limit of characters of a value. */
const MAX_LENGTH = 10_000;

/**
 * Parameters in the body of a request to an OAuth endpoint; those in the URL are ignored (RFC 6749 2.3.1,
 * 3.2).
 */
export class FormParameters<Name extends string = string> {
  private constructor(private readonly values: ReadonlyMap<string, string>) {}

  /**
   * Reads the named parameters; ignores others, empty ones count as missing.
   * @throws 400 invalid_request for one that is repeated, a list or hash, or not readable text
   */
  static of<Name extends string>(body: unknown, names: readonly Name[]): FormParameters<Name> {
    const values = new Map<string, string>();
    if (typeof body !== 'object' || body === null) return new FormParameters(values);
    for (const name of names) {
      if (!Object.hasOwn(body, name)) continue;
      const value = (body as Record<string, unknown>)[name];
      if (value === '' || value === null) continue;
      if (typeof value !== 'string' || value.length > MAX_LENGTH) throw oauthError('invalid_request');
      // PostgreSQL does not store NUL, and lone surrogates cannot be encoded.
      if (value.includes('\0') || !value.isWellFormed()) throw oauthError('invalid_request');
      values.set(name, value);
    }
    return new FormParameters(values);
  }

  /** Returns a parameter, or null if it is missing. */
  get(name: Name): string | null {
    return this.values.get(name) ?? null;
  }
}
