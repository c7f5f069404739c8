import { git } from './git.js';
import { askGit } from './kept/ask-git.js';

/** Expressions that are asked of a process that others use too. */
const FEW = 32;

/**
 * The ids that expressions lead to, asked together; null for what is not there. An expression may be `<full id>:<path>`; none may hold
 * a NUL.
 */
export async function objectIds(
  repositoryPath: string,
  expressions: readonly string[],
): Promise<(string | null)[]> {
  if (expressions.length === 0) return [];
  const isShort = expressions.length <= FEW;
  const kept =
    isShort &&
    (await askGit(
      repositoryPath,
      expressions.map((name) => ({ command: 'info', name })),
    ));
  if (kept) return kept.map((object) => object?.id ?? null);
  const output = await git(repositoryPath, ['cat-file', '--batch-check=%(objectname)', '-z'], {
    input: expressions.map((one) => `${one}\0`).join(''),
  });
  let text = output.toString('utf8');
  return expressions.map((expression) => {
    // What is missing is repeated, line ends and all.
    const end = text.indexOf('\n', text.startsWith(`${expression} `) ? expression.length : 0);
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return /^[0-9a-f]{40}$/.test(line) ? line : null;
  });
}
