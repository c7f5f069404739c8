import { GitFailure } from '../git/git-failure.js';
import { git, gitText } from '../git/git.js';

/** Hidden from clients; garbage collection keeps what these refs reach. */
const FOLDER = 'refs/keep-around';

/**
 * This many refs of a level are merged into one of the next: a million kept commits need a few hundred refs,
 * none of them advertised.
 */
const FAN = 32;

/** Older than any commit: git walks from the newest commit, and so visits these last. */
const OLDEST = '@1 +0000';
const NOBODY = {
  GIT_AUTHOR_NAME: 'keep-around',
  GIT_AUTHOR_EMAIL: 'keep-around@localhost',
  GIT_AUTHOR_DATE: OLDEST,
  GIT_COMMITTER_NAME: 'keep-around',
  GIT_COMMITTER_EMAIL: 'keep-around@localhost',
  GIT_COMMITTER_DATE: OLDEST,
};

/** History that no ref has reached may be long. */
const WALK_MS = 10 * 60_000;

/** Returns the commits that exist, whether or not they are complete. @throws GitFailure */
export async function existingCommits(path: string, shas: readonly string[]): Promise<string[]> {
  const output = await gitText(path, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: shas.map((sha) => `${sha}\n`).join(''),
  });
  return output.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, 40)] : []));
}

/** Returns the commits that are complete, with history and files. @throws GitFailure */
export async function wholeCommits(path: string, shas: readonly string[]): Promise<string[]> {
  const there = await existingCommits(path, shas);
  if (there.length === 0 || (await isWhole(path, there))) return there;
  // A ref to an incomplete commit would make every later clean-up fail.
  const whole: string[] = [];
  for (const sha of there) if (await isWhole(path, [sha])) whole.push(sha);
  return whole;
}

/** Keeps existing commits by a new ref, and merges refs if there are many. @throws GitFailure */
export async function keepCommits(path: string, shas: readonly string[]): Promise<void> {
  if (shas.length === 0) return;
  const made = await commitOf(path, shas);
  // The same commits give the same ref: another run may be keeping them, or have been ended before it could say so.
  await update(path, [`update ${FOLDER}/0/${made}\0${made}\0\0`]);
  const listed = await gitText(path, ['for-each-ref', '--format=%(refname)', `${FOLDER}/`]);
  const all = listed.split('\n').filter(Boolean);
  for (let level = 0; ; level += 1) {
    const refs = all.filter((ref) => ref.startsWith(`${FOLDER}/${level}/`));
    if (refs.length < FAN) return;
    const joined = await commitOf(
      path,
      refs.map((ref) => ref.slice(-40)),
    );
    const above = `${FOLDER}/${level + 1}/${joined}`;
    try {
      await update(path, [
        `update ${above}\0${joined}\0\0`,
        ...refs.map((ref) => `delete ${ref}\0${ref.slice(-40)}\0`),
      ]);
    } catch (error) {
      // Another run is merging the same refs: the commits are kept, and the next run merges what is left.
      if (error instanceof GitFailure && error.reason === 'exit') return;
      throw error;
    }
    all.push(above);
  }
}

/** Creates a commit with these parents. */
const commitOf = (path: string, parents: readonly string[]): Promise<string> =>
  gitText(path, ['commit-tree', `${parents[0]}^{tree}`, ...parents.flatMap((sha) => ['-p', sha])], {
    env: NOBODY,
  });

const update = (path: string, commands: readonly string[]): Promise<Buffer> =>
  git(path, ['update-ref', '-z', '--stdin'], {
    input: `start\0${commands.join('')}prepare\0commit\0`,
  });

async function isWhole(path: string, shas: readonly string[]): Promise<boolean> {
  try {
    await git(path, ['rev-list', '--objects', '--quiet', '--stdin', '--not', '--all'], {
      input: shas.map((sha) => `${sha}\n`).join(''),
      timeoutMs: WALK_MS,
      kind: 'long',
    });
    return true;
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return false;
    throw error;
  }
}
