import { spawnSync } from 'node:child_process';
import type { TestApi } from './api.js';
import type { WorkingCopy } from './git.js';

/** User name and password, as git sends them. */
export type Login = readonly [login: string, password: string];

/** A response to a git client. */
export interface GitReply {
  readonly status: number;
  readonly type: string | null;
  readonly text: string;
  readonly headers: Headers;
}

/** A packet of git's protocol. */
export const packet = (text: string): string =>
  (Buffer.byteLength(text) + 4).toString(16).padStart(4, '0') + text;

/** The header with the credentials of git. */
export const basicHeader = (login: Login | null): Record<string, string> =>
  login === null ? {} : { Authorization: `Basic ${Buffer.from(login.join(':')).toString('base64')}` };

/** The URL of a repository with credentials in it. */
export function gitUrl(api: Pick<TestApi, 'url'>, path: string, login: Login | null = null): string {
  const user = login === null ? '' : `${login.map(encodeURIComponent).join(':')}@`;
  return `${api.url.replace('http://', `http://${user}`)}${path}`;
}

async function replyOf(response: Response): Promise<GitReply> {
  const { status, headers } = response;
  return { status, headers, type: headers.get('content-type'), text: await response.text() };
}

/** The first request of a fetch or push. */
export async function askRefs(
  api: Pick<TestApi, 'url'>,
  path: string,
  service: 'upload' | 'receive',
  login: Login | null = null,
  headers: Readonly<Record<string, string>> = {},
): Promise<GitReply> {
  const url = `${api.url}${path}/info/refs?service=git-${service}-pack`;
  return replyOf(await fetch(url, { redirect: 'manual', headers: { ...basicHeader(login), ...headers } }));
}

/** The request after it. */
export async function postPack(
  api: Pick<TestApi, 'url'>,
  path: string,
  service: 'upload' | 'receive',
  body: string | Buffer,
  login: Login | null = null,
  headers: Readonly<Record<string, string>> = {},
): Promise<GitReply> {
  return replyOf(
    await fetch(`${api.url}${path}/git-${service}-pack`, {
      method: 'POST',
      body: typeof body === 'string' ? body : new Uint8Array(body),
      headers: {
        'Content-Type': `application/x-git-${service}-pack-request`,
        ...basicHeader(login),
        ...headers,
      },
    }),
  );
}

/** The body of a push that creates a ref, with all objects of its commit. */
export function pushBody(work: WorkingCopy, ref: string, commit: string, options = ''): Buffer {
  const pack = spawnSync('git', ['pack-objects', '--stdout', '--revs', '-q'], {
    cwd: work.path,
    input: `${commit}\n`,
    maxBuffer: 1 << 30,
  });
  const capabilities = `report-status side-band-64k agent=test${options === '' ? '' : ' push-options'}`;
  const commands = packet(`${'0'.repeat(40)} ${commit} ${ref}\0${capabilities}`);
  return Buffer.concat([Buffer.from(`${commands}0000${options}`, 'utf8'), pack.stdout]);
}
