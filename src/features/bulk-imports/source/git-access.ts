import { isIP } from 'node:net';
import type { CheckedUrl } from '#kernel/outbound/outbound-urls.js';
import { GIT_ENVIRONMENT } from '#core/repositories/git/git-environment.js';

/** How to call git for a repository of a source. */
export interface GitAccess {
  readonly url: string;
  /** Options before the command. */
  readonly config: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A connection with less than a byte per second for this long hangs. */
const STALLED_SECONDS = 60;

/**
 * Connects only to the checked addresses, follows no redirects, and passes the token only in the environment.
 */
export function gitAccessOf({ url, host, port, addresses }: CheckedUrl, token: string): GitAccess {
  const scheme = url.protocol.slice(0, -1);
  const pinned = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(',');
  const settings = [
    // An IP address needs no resolution.
    ...(isIP(host) ? [] : [`http.curloptResolve=${host}:${port}:${pinned}`]),
    'http.followRedirects=false',
    `http.lowSpeedLimit=1`,
    `http.lowSpeedTime=${STALLED_SECONDS}`,
    'http.sslVerify=true',
    `protocol.${scheme}.allow=always`,
  ];
  return {
    url: url.href,
    config: settings.flatMap((setting) => ['-c', setting]),
    env: withSetting('http.extraHeader', `Authorization: ${gitProof(token)}`),
  };
}

/** Header that authenticates to the source. */
export const gitProof = (token: string): string =>
  `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`;

/** Adds a setting to the environment of a git call. */
function withSetting(key: string, value: string): Record<string, string> {
  const count = Number(GIT_ENVIRONMENT['GIT_CONFIG_COUNT']);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: key,
    [`GIT_CONFIG_VALUE_${count}`]: value,
  };
}
