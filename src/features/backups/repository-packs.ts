import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { git, gitText } from '#core/repositories/git/git.js';
import { inGitSlot, spawnGit } from '#core/repositories/git/processes/spawn-git.js';

const MAX_REFS_BYTES = 256 * 1024 * 1024;
const LONG_MS = 24 * 3_600_000;

/** Facts of a repository besides its objects. */
export interface RefsOfRepository {
  readonly head: string;
  readonly refs: Readonly<Record<string, string>>;
}

/** Reads all refs, including hidden ones. @throws GitFailure */
export async function readRefs(path: string): Promise<RefsOfRepository> {
  const head = await gitText(path, ['symbolic-ref', 'HEAD']);
  const listed = await gitText(path, ['for-each-ref', '--format=%(objectname) %(refname)'], {
    maxBytes: MAX_REFS_BYTES,
    timeoutMs: LONG_MS,
    kind: 'background',
  });
  const refs = listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => [line.slice(line.indexOf(' ') + 1), line.slice(0, line.indexOf(' '))] as const);
  return { head, refs: Object.fromEntries(refs) };
}

/** Returns those of the objects that the repository still has. */
export async function present(path: string, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const answer = await gitText(path, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: `${ids.join('\n')}\n`,
    maxBytes: MAX_REFS_BYTES,
    timeoutMs: LONG_MS,
    kind: 'background',
  });
  return answer
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(' missing'))
    .map((line) => line.slice(0, line.indexOf(' ')));
}

/** The exit code; a child that could not even be started fails before anybody waits for it. */
function endOf(child: ChildProcess): Promise<[number | null]> {
  const ended = once(child, 'close') as Promise<[number | null]>;
  ended.catch(() => undefined);
  return ended;
}

/**
 * Passes a pack with everything reachable from `tips` and not from `known` to `take`. @throws Error if git
 * fails, and errors of `take`
 */
export async function packObjects<T>(
  path: string,
  tips: readonly string[],
  known: readonly string[],
  take: (pack: Readable) => Promise<T>,
): Promise<T> {
  return inGitSlot('long', path, async (slot) => {
    const args = ['pack-objects', '--revs', '--stdout', '-q', '--delta-base-offset', '--threads=1'];
    const child = spawnGit(slot, args);
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error('git has no pipes');
    let said = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(0, 2_000)));
    stdin.on('error', () => undefined);
    stdin.end(`${[...tips, ...known.map((id) => `^${id}`)].join('\n')}\n`);
    const ended = endOf(child);
    const content = Readable.from(checked(stdout, ended, () => said));
    return take(content);
  });
}

/** Yields the bytes, and fails at their end if git has failed. */
async function* checked(
  stdout: Readable,
  ended: Promise<[number | null]>,
  said: () => string,
): AsyncGenerator<Buffer> {
  yield* stdout as AsyncIterable<Buffer>;
  const [code] = await ended;
  if (code !== 0) throw new Error(`git pack-objects failed: ${said().trim()}`);
}

/**
 * Unpacks a pack into a repository. Its objects have their digests, but not all the form that git requires of pushes: those of old programs, and
 * those that a newer git requires more of, must be restored too.
 */
export async function takePack(path: string, pack: Readable): Promise<void> {
  await inGitSlot('long', path, async (slot) => {
    const child = spawnGit(slot, ['index-pack', '--stdin', '--threads=1']);
    const { stdin, stdout, stderr } = child;
    if (!stdin || !stdout || !stderr) throw new Error('git has no pipes');
    let said = '';
    stderr.setEncoding('utf8').on('data', (text: string) => (said = `${said}${text}`.slice(0, 2_000)));
    stdout.resume();
    const ended = endOf(child);
    // Git may end before its input does: read the pack to its end anyway, so that its digest is checked.
    stdin.on('error', () => undefined);
    for await (const piece of pack) {
      if (child.exitCode === null && !stdin.write(piece))
        await Promise.race([once(stdin, 'drain').catch(() => undefined), ended]);
    }
    stdin.end();
    const [code] = await ended;
    if (code !== 0) throw new Error(`git index-pack failed: ${said.trim()}`);
  });
}

/** Asserts that the refs of a repository reach only objects that exist. @throws GitFailure */
export async function requireComplete(path: string): Promise<void> {
  await git(path, ['rev-list', '--objects', '--all', '--quiet'], { timeoutMs: LONG_MS, kind: 'long' });
}

/** Sets all refs of a repository at once. */
export async function writeRefs(path: string, { head, refs }: RefsOfRepository): Promise<void> {
  const commands = Object.entries(refs).map(([name, id]) => `create ${name}\0${id}\0`);
  if (commands.length > 0)
    await git(path, ['update-ref', '-z', '--stdin'], {
      input: commands.join(''),
      timeoutMs: LONG_MS,
    });
  await git(path, ['symbolic-ref', 'HEAD', head]);
}
