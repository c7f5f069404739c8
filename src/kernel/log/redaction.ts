/** Replacement of a secret. */
export const FILTERED = '[FILTERED]';

const MAX_TEXT = 512;
const MAX_KEY = 64;
const MAX_DEPTH = 4;
const MAX_ENTRIES = 40;
/** Limit of values that one call of redactParams examines. */
const MAX_VALUES = 120;

/** Names of secrets, or of private text that does not belong in logs. */
const SECRET_NAME =
  /tokens?$|password|passphrase|secret|_key$|apikey$|authorization|credential|cookie|signature|otp|assertion|e-?mail/i;
const SECRET_EXACT = new Set(
  'code code_verifier id_token_hint key login value dsn pin jwt nonce body note description content text title message payload'.split(
    ' ',
  ),
);

/** URL user-info (also of DSNs); the greedy part matches everything up to the last @ before the path. */
const USERINFO = /([a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]*@/gi;
const ASSIGNED =
  /((?:\w{0,40}(?:token|password|passphrase|secret|sentry_key|api_?key|private_key|code_verifier|authenticity_token|authorization)|\bcode)["']?\s{0,3}[=:]\s{0,3}["']?)(?:(?:bearer|basic|sentry|token)\s+)?[^\s&;,"'}\]]+/gi;
const SCHEME = /\b(bearer|basic)\s+[\w.~+/=-]{6,}/gi;
const KNOWN_TOKEN = /\b(gl[a-z]{2,8}-|glet_)[\w.-]{8,}/g;
const SUSPICIOUS = /@|[=:]|bearer|basic|gl[a-z]{2,8}-|glet_/i;
// oxlint-disable-next-line no-control-regex -- line ends and terminal escapes are what must not get through
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;

/** Whether a parameter, header or property of this name is kept out of logs. */
export function isSecretName(name: string): boolean {
  return SECRET_EXACT.has(name.toLowerCase()) || SECRET_NAME.test(name);
}

/** Removes secrets, control characters and line breaks from free text, and limits its length. */
export function redactText(text: string, limit = MAX_TEXT): string {
  // The window is wider than what is kept, so that a secret across the edge is still recognized.
  let result = text.length > limit * 4 ? text.slice(0, limit * 4) : text;
  result = result.replace(CONTROL, ' ');
  if (SUSPICIOUS.test(result)) {
    result = result
      .replace(USERINFO, `$1${FILTERED}@`)
      .replace(ASSIGNED, `$1${FILTERED}`)
      .replace(SCHEME, `$1 ${FILTERED}`)
      .replace(KNOWN_TOKEN, `$1${FILTERED}`);
  }
  return result.length > limit ? `${result.slice(0, limit)}...` : result;
}

/** Removes secrets in user-info, query and fragment from a path with optional query, or a whole URL. */
export function redactUrl(url: string, limit = 2048): string {
  const bounded = url.length > limit ? `${url.slice(0, limit)}...` : url;
  const question = bounded.search(/[?#]/);
  if (question < 0) return redactText(bounded, limit + 3);
  const query = bounded
    .slice(question + 1)
    .split(/[&#]/)
    .slice(0, 100)
    .map(redactPair)
    .join('&');
  return `${redactText(bounded.slice(0, question), limit)}${bounded.charAt(question)}${query}`;
}

function redactPair(pair: string): string {
  const equals = pair.indexOf('=');
  if (equals < 0) return redactText(pair);
  const name = decode(pair.slice(0, equals));
  const shown = redactText(pair.slice(0, equals));
  if (isSecretName(lastSegment(name))) return `${shown}=${FILTERED}`;
  const value = pair.slice(equals + 1);
  const plain = decode(value);
  const redacted = redactText(plain);
  return `${shown}=${redacted === plain ? value : encodeURIComponent(redacted)}`;
}

/** `user[password]` -> `password`, `tokens[]` -> `tokens`. */
function lastSegment(name: string): string {
  const parts = name.split(/[[\]]+/).filter(Boolean);
  return (parts.at(-1) ?? name).replace(/^\d+$/, parts.at(-2) ?? name);
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}

/** Copies parameters for the log: secrets filtered; depth, width and lengths limited. */
export function redactParams(params: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return redactObject(params, 0, { left: MAX_VALUES });
}

interface Budget {
  left: number;
}

function redactObject(source: object, depth: number, budget: Budget): Record<string, unknown> {
  const result = Object.create(null) as Record<string, unknown>;
  let entries = 0;
  // Not Object.entries: a body may have a million keys, of which only the first few are needed.
  for (const key in source) {
    if (!Object.hasOwn(source, key)) continue;
    if (entries === MAX_ENTRIES || budget.left <= 0) {
      result['...'] = 'more';
      break;
    }
    entries += 1;
    const value = (source as Record<string, unknown>)[key];
    const name = redactText(key, MAX_KEY);
    result[name] =
      isSecretName(key) && typeof value !== 'boolean' && value !== null
        ? FILTERED
        : redactValue(value, depth + 1, budget);
  }
  return result;
}

function redactValue(value: unknown, depth: number, budget: Budget): unknown {
  budget.left -= 1;
  switch (typeof value) {
    case 'string':
      return redactText(value);
    case 'number':
    case 'boolean':
      return value;
    case 'object':
      if (value === null) return null;
      if (value instanceof Date) return value;
      if (ArrayBuffer.isView(value)) return '[binary]';
      if (depth >= MAX_DEPTH || budget.left <= 0) return '[...]';
      return Array.isArray(value) ? redactArray(value, depth, budget) : redactObject(value, depth, budget);
    default:
      return undefined;
  }
}

function redactArray(values: readonly unknown[], depth: number, budget: Budget): unknown[] {
  const kept: unknown[] = [];
  for (const value of values) {
    if (kept.length === MAX_ENTRIES || budget.left <= 0) {
      kept.push(`... ${values.length} in all`);
      break;
    }
    kept.push(redactValue(value, depth + 1, budget));
  }
  return kept;
}
