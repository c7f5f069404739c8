import { GitFailure } from '../git/git-failure.js';
import { git, gitText } from '../git/git.js';

/** Hidden from clients; whoever collects garbage takes what they reach for needed. */
const FOLDER = 'refs/keep-around';

/** So many refs of one level become one of the next: a million kept commits need some hundred refs, and advertise none. */
const FAN = 32;

/** Older than any commit, so that git, which walks from the newest, does not come here before it is done. */
const OLDEST = '@1 +0000';
const NOBODY = {
  GIT_AUTHOR_NAME: 'keep-around',
  GIT_AUTHOR_EMAIL: 'keep-around@localhost',
  GIT_AUTHOR_DATE: OLDEST,
  GIT_COMMITTER_NAME: 'keep-around',
  GIT_COMMITTER_EMAIL: 'keep-around@localhost',
  GIT_COMMITTER_DATE: OLDEST,
};

/** History that was never reached by a ref may be long. */
const WALK_MS = 10 * 60_000;

/** Which of these commits the repository has whole, history and files included. @throws GitFailure */
export async function wholeCommits(path: string, shas: readonly string[]): Promise<string[]> {
  const output = await gitText(path, ['cat-file', '--batch-check=%(objectname) %(objecttype)'], {
    input: shas.map((sha) => `${sha}\n`).join(''),
  });
  const there = output.split('\n').flatMap((line) => (line.endsWith(' commit') ? [line.slice(0, 40)] : []));
  if (there.length === 0 || (await isWhole(path, there))) return there;
  // A ref to a commit that lacks something would make every later clean-up fail.
  const whole: string[] = [];
  for (const sha of there) if (await isWhole(path, [sha])) whole.push(sha);
  return whole;
}

/** Keeps commits that are there by one new ref, and joins refs where they have become many. @throws GitFailure */
export async function keepCommits(path: string, shas: readonly string[]): Promise<void> {
  if (shas.length === 0) return;
  const made = await commitOf(path, shas);
  await update(path, [`create ${FOLDER}/0/${made}\0${made}\0`]);
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
    await update(path, [
      `create ${above}\0${joined}\0`,
      ...refs.map((ref) => `delete ${ref}\0${ref.slice(-40)}\0`),
    ]);
    all.push(above);
  }
}

/** A commit whose parents are these. */
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
