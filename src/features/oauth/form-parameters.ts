import { oauthError } from './oauth-error.js';

/** Characters of one value. */
const MAX_LENGTH = 10_000;

/** The parameters in the body of a request to an OAuth endpoint; those in its URL do not count (RFC 6749 2.3.1, 3.2). */
export class FormParameters<Name extends string = string> {
  private constructor(private readonly values: ReadonlyMap<string, string>) {}

  /**
   * Reads the named parameters; others are ignored, empty ones count as missing.
   * @throws 400 invalid_request for one that was sent twice, as a list or hash, or that is no readable text
   */
  static of<Name extends string>(body: unknown, names: readonly Name[]): FormParameters<Name> {
    const values = new Map<string, string>();
    if (typeof body !== 'object' || body === null) return new FormParameters(values);
    for (const name of names) {
      if (!Object.hasOwn(body, name)) continue;
      const value = (body as Record<string, unknown>)[name];
      if (value === '' || value === null) continue;
      if (typeof value !== 'string' || value.length > MAX_LENGTH) throw oauthError('invalid_request');
      // PostgreSQL takes no NUL, and lone surrogates cannot be encoded.
      if (value.includes('\0') || !value.isWellFormed()) throw oauthError('invalid_request');
      values.set(name, value);
    }
    return new FormParameters(values);
  }

  /** The value of a parameter, or null where it is missing. */
  get(name: Name): string | null {
    return this.values.get(name) ?? null;
  }
}
