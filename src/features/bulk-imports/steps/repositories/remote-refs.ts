import { gitText } from '#core/repositories/git/git.js';
import { isValidNewRefName } from '#core/repositories/refs/new-ref-name.js';
import type { SourceApi } from '../../source/source-api.js';

/** How git can read a repository of the source. */
export type GitAccess = Awaited<ReturnType<SourceApi['gitAccess']>>;

/** Refs of a repository of the source. */
export interface RemoteRefs {
  /** The branch of HEAD; null if it does not exist. */
  readonly head: string | null;
  /** Branches and tags with names that are not allowed here, as full names. */
  readonly misleading: readonly string[];
}

const TIMEOUT_MS = 120_000;
/** A name that looks like a commit id would be taken for one. */
const LIKE_COMMIT = /^([0-9a-f]{40}|[0-9a-f]{64})$/i;

/** Lists the branches and tags of a repository; null if it has none. @throws GitFailure */
export async function remoteRefs(access: GitAccess, signal: AbortSignal): Promise<RemoteRefs | null> {
  const { config, env, url } = access;
  const args = [
    ...config,
    'ls-remote',
    '--quiet',
    '--symref',
    '--',
    url,
    'HEAD',
    'refs/heads/*',
    'refs/tags/*',
  ];
  const text = await gitText(null, args, {
    env,
    signal,
    timeoutMs: TIMEOUT_MS,
    kind: 'long',
  });
  const names = new Set<string>();
  let head: string | null = null;
  for (const line of text.split('\n')) {
    const [left = '', name = ''] = line.split('\t');
    if (name === 'HEAD' && left.startsWith('ref: refs/heads/')) head = left.slice('ref: refs/heads/'.length);
    else if (/^refs\/(heads|tags)\//.test(name) && !name.endsWith('^{}')) names.add(name);
  }
  if (names.size === 0) return null;
  return {
    head: head !== null && names.has(`refs/heads/${head}`) && isGood(head) ? head : null,
    misleading: [...names].filter(isMisleadingRef),
  };
}

/** Returns whether a branch or tag, by its full name, has a name that is not allowed here. */
export const isMisleadingRef = (name: string): boolean => !isGood(name.replace(/^refs\/(heads|tags)\//, ''));

/** Git also accepts names that are not UTF-8; no request to this API could contain them. */
const isGood = (name: string): boolean =>
  isValidNewRefName(name) && !LIKE_COMMIT.test(name) && !name.includes('\ufffd');
