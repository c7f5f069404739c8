/**
 * The parameters of an authorization request that count (RFC 6749 4.1.1, RFC 7636 4.3, OpenID Connect core 3.1.2.1); all
 * others are ignored, as RFC 6749 3.1 wants it.
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

/** Characters of one value: no longer one fits into a URL that this service reads, so none was ever shown to anybody. */
const MAX_LENGTH = 8192;

/** Stands for what has no one readable value. */
const MALFORMED = Symbol('malformed');

type Value = string | typeof MALFORMED;

/**
 * The parameters of one authorization request as they were sent, each at most once. The query is read here and not by the
 * parser of the API: that one makes lists and hashes of names with brackets, takes a raw `]=` within a value for such a name,
 * and replaces what is no UTF-8, while `state` has to go back byte for byte.
 */
export class SentParameters {
  private constructor(private readonly values: ReadonlyMap<ParameterName, Value>) {}

  /** Those of a request: of its query, and of its body where it has one. One in both was sent twice. */
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

  /** Those that `toJSON` once gave. */
  static from(values: Readonly<Record<string, string>>): SentParameters {
    return SentParameters.of('', values);
  }

  /** The value of a parameter; null when it was not sent, was empty (which counts as not sent), or is malformed. */
  get(name: ParameterName): string | null {
    const value = this.values.get(name);
    return typeof value === 'string' ? value : null;
  }

  /** Whether a parameter came twice, as a list or hash, too long, or not as text. */
  isMalformed(name: ParameterName): boolean {
    return this.values.get(name) === MALFORMED;
  }

  /** Whether each parameter that is sent here has the value that it has there; line ends count as browsers change them in forms. */
  agreesWith(other: SentParameters): boolean {
    return [...this.values].every(([name, value]) => {
      const theirs = other.get(name);
      return typeof value === 'string' && theirs !== null && withLineFeeds(value) === withLineFeeds(theirs);
    });
  }

  /** The readable ones by name. */
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

/** Names and values of a query; one that is no UTF-8 is malformed, like a list. Node hands bytes beyond ASCII on one by one. */
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
