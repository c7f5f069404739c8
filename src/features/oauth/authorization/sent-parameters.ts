/**
 * Known parameters of an authorization request (RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect core 3.1.2.1);
 * all others are ignored, as RFC 6749 3.1 requires.
 */
export const PARAMETER_NAMES = [
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'gl_auth_type',
  'request',
  'request_uri',
] as const;

/** Name of an authorization parameter. */
export type ParameterName = (typeof PARAMETER_NAMES)[number];

/**
 * Limit of characters of a value: longer ones do not fit into a URL that this service accepts, so they were
 * never shown to a user.
 */
const MAX_LENGTH = 8192;

/** Stands for a value that is not a single readable text. */
const MALFORMED = Symbol('malformed');

type Value = string | typeof MALFORMED;

/**
 * Parameters of an authorization request as sent, each at most once. The query is not read with the parser of
 * the API: that creates lists and hashes from names with brackets, takes a raw `]=` in a value for such a
 * name, and replaces invalid UTF-8, whereas `state` must be returned byte for byte.
 */
export class SentParameters {
  private constructor(private readonly values: ReadonlyMap<ParameterName, Value>) {}

  /** Reads the parameters of the query and, if present, of the body. One in both counts as repeated. */
  static of(url: string, body: unknown): SentParameters {
    const question = url.indexOf('?');
    const pairs = question < 0 ? [] : pairsOf(url.slice(question + 1));
    if (typeof body === 'object' && body !== null) pairs.push(...Object.entries(body));
    const values = new Map<ParameterName, Value>();
    for (const [key, value] of pairs) {
      const bracket = key.indexOf('[');
      const name = nameOf(bracket < 0 ? key : key.slice(0, bracket));
      if (name === undefined || value === '' || value === null) continue;
      values.set(name, bracket >= 0 || values.has(name) ? MALFORMED : readable(value));
    }
    return new SentParameters(values);
  }

  /** Restores the result of `toJSON`. */
  static from(values: Readonly<Record<string, string>>): SentParameters {
    return SentParameters.of('', values);
  }

  /** Returns a parameter; null if it is missing, empty (which counts as missing) or malformed. */
  get(name: ParameterName): string | null {
    const value = this.values.get(name);
    return typeof value === 'string' ? value : null;
  }

  /** Returns whether a parameter is repeated, a list or hash, too long, or not text. */
  isMalformed(name: ParameterName): boolean {
    return this.values.get(name) === MALFORMED;
  }

  /**
   * Returns whether each parameter here has the same value there, up to the line ends that browsers change in
   * forms.
   */
  agreesWith(other: SentParameters): boolean {
    return [...this.values].every(([name, value]) => {
      const theirs = other.get(name);
      return typeof value === 'string' && theirs !== null && withLineFeeds(value) === withLineFeeds(theirs);
    });
  }

  /** Returns the readable parameters by name. */
  toJSON(): Partial<Record<ParameterName, string>> {
    return Object.fromEntries([...this.values].filter(([, value]) => typeof value === 'string'));
  }
}

const names: ReadonlySet<string> = new Set(PARAMETER_NAMES);
const nameOf = (text: string): ParameterName | undefined =>
  names.has(text) ? (text as ParameterName) : undefined;

const readable = (value: unknown): Value =>
  typeof value === 'string' && value.length <= MAX_LENGTH && value.isWellFormed() && !value.includes('\0')
    ? value
    : MALFORMED;

const withLineFeeds = (text: string): string => text.replace(/\r\n?/g, '\n');

/**
 * Splits a query into names and values; invalid UTF-8 counts as malformed, like a list. Node passes bytes
 * beyond ASCII as single characters.
 */
function pairsOf(query: string): [string, unknown][] {
  return query.split('&').map((pair) => {
    const equals = pair.indexOf('=');
    const name = decode(equals < 0 ? pair : pair.slice(0, equals)) ?? '';
    return [name, equals < 0 ? '' : (decode(pair.slice(equals + 1)) ?? MALFORMED)];
  });
}

function decode(text: string): string | null {
  const escaped = text
    .replaceAll('+', '%20')
    .replace(/[\u0080-\u00ff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
  try {
    return decodeURIComponent(escaped);
  } catch {
    return null;
  }
}
