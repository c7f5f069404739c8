/** Sentinels, and the name of the master whose address they provide. */
export interface SentinelAddress {
  readonly sentinels: readonly { readonly host: string; readonly port: number }[];
  readonly name: string;
  readonly db: number;
  /** Whether the Sentinels and Redis are spoken to over TLS. */
  readonly tls: boolean;
  readonly username?: string;
  readonly password?: string;
  readonly sentinelUsername?: string;
  readonly sentinelPassword?: string;
}

/** Why an address is invalid, phrased to follow the name of its variable. Quotes nothing of the address, which may contain passwords. */
class AddressProblem extends Error {}

const EXAMPLE = 'redis+sentinel://:password@host:26379,host:26379/mymaster/0';
const PLAIN = /^rediss?:\/\/[^/?#]+(\/\d*)?(\?.*)?$/;
const BY_SENTINEL =
  /^redis(s?)\+sentinel:\/\/(?:([^/?#]*)@)?([^@/?#]+)(?:\/([^/?#]*))?(?:\/([^/?#]*))?(?:\?([^#]*))?$/;
const ENDPOINT = /^(?:\[([\da-f:.]+)\]|([\w.-]+))(?::(\d{1,5}))?$/i;
const SENTINEL_PORT = 26_379;

/** Returns why an address of Redis or of Sentinels is invalid; null if it is valid. */
export function redisAddressProblem(url: unknown): string | null {
  try {
    readRedisAddress(String(url));
    return null;
  } catch (error) {
    if (error instanceof AddressProblem) return error.message;
    throw error;
  }
}

/** Parses an address that leads to Sentinels; returns null for one that leads directly to Redis. @throws AddressProblem */
export function readRedisAddress(url: string): SentinelAddress | null {
  if (!/^rediss?\+sentinel:/.test(url)) {
    demand(
      PLAIN.test(url) && URL.canParse(url),
      `must be a redis:// URL, like redis://127.0.0.1:6379, or lead to Sentinels, like ${EXAMPLE}`,
    );
    const { username, password } = new URL(url);
    [username, password].forEach(decoded);
    return null;
  }
  const parts = BY_SENTINEL.exec(url);
  demand(parts !== null, `must look like ${EXAMPLE}, with @ / ? # in passwords written as %40 %2F %3F %23`);
  const [, tls, userInfo, hosts = '', name = '', db = '', query = ''] = parts;
  const sentinels = hosts.split(',').map(readEndpoint);
  demand(/^[\w.-]+$/.test(name), `must name the master after the Sentinels, like ${EXAMPLE}`);
  demand(/^\d{0,4}$/.test(db), 'must end with the number of a database, or with the name of the master');
  return {
    sentinels,
    name,
    db: Number(db),
    tls: tls === 's',
    ...(userInfo !== undefined && readUserInfo(userInfo)),
    ...readParameters(query),
  };
}

function readEndpoint(text: string): { host: string; port: number } {
  const parts = ENDPOINT.exec(text);
  const port = Number(parts?.[3] ?? SENTINEL_PORT);
  demand(
    parts !== null && port > 0 && port < 65_536,
    'must name Sentinels as host or host:port, separated by commas',
  );
  return { host: parts[1] ?? parts[2] ?? '', port };
}

function readUserInfo(text: string): Pick<SentinelAddress, 'username' | 'password'> {
  const colon = text.indexOf(':');
  demand(colon >= 0, 'must have a password after the user, user:password@, or neither');
  const username = decoded(text.slice(0, colon));
  return { password: decoded(text.slice(colon + 1)), ...(username !== '' && { username }) };
}

/** Not parsed as a form, in which a plus would be a space: passwords may contain one. */
function readParameters(query: string): Pick<SentinelAddress, 'sentinelUsername' | 'sentinelPassword'> {
  const values = new Map<string, string>();
  for (const pair of query.split('&').filter(Boolean)) {
    const equals = pair.indexOf('=');
    const name = pair.slice(0, Math.max(equals, 0));
    demand(
      ['sentinel_username', 'sentinel_password'].includes(name) && !values.has(name),
      'takes the parameters sentinel_username and sentinel_password, each once, and no others',
    );
    values.set(name, decoded(pair.slice(equals + 1)));
  }
  const sentinelUsername = values.get('sentinel_username');
  const sentinelPassword = values.get('sentinel_password');
  demand(
    sentinelPassword !== undefined || sentinelUsername === undefined,
    'must have a sentinel_password beside the sentinel_username',
  );
  return {
    ...(sentinelUsername !== undefined && { sentinelUsername }),
    ...(sentinelPassword !== undefined && { sentinelPassword }),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AddressProblem('has a user or password with a % that begins no escape: write it as %25');
  }
}

function demand(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new AddressProblem(problem);
}
