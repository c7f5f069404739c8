import { isIP } from 'node:net';
import type { CheckedUrl } from '#kernel/outbound/outbound-urls.js';
import { GIT_ENVIRONMENT } from '#core/repositories/git/git-environment.js';

/** How git is to be called for a repository of a source. */
export interface GitAccess {
  readonly url: string;
  /** To be put before the command. */
  readonly config: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** Less than a byte a second for so long is a connection that hangs. */
const STALLED_SECONDS = 60;

/** Connects to the checked addresses only, follows nothing, and proves by the environment alone who asks. */
export function gitAccessOf({ url, host, port, addresses }: CheckedUrl, token: string): GitAccess {
  const scheme = url.protocol.slice(0, -1);
  const pinned = addresses.map(({ address, family }) => (family === 6 ? `[${address}]` : address)).join(',');
  const settings = [
    // An address stands for itself.
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

/** What proves to the source who asks. */
export const gitProof = (token: string): string =>
  `Basic ${Buffer.from(`oauth2:${token}`).toString('base64')}`;

/** One more setting in the environment of every call of git. */
function withSetting(key: string, value: string): Record<string, string> {
  const count = Number(GIT_ENVIRONMENT['GIT_CONFIG_COUNT']);
  return {
    GIT_CONFIG_COUNT: String(count + 1),
    [`GIT_CONFIG_KEY_${count}`]: key,
    [`GIT_CONFIG_VALUE_${count}`]: value,
  };
}
