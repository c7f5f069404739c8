import { git } from './git.js';
import { askGit } from './kept/ask-git.js';

/** Limit of expressions for which the shared git process is used. */
const FEW = 32;

/**
 * Resolves expressions to ids, in one batch; null for missing objects. An expression may be `<full
 * id>:<path>`; it must not contain a NUL.
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
    // For a missing object git repeats the expression, including its line ends.
    const end = text.indexOf('\n', text.startsWith(`${expression} `) ? expression.length : 0);
    const line = text.slice(0, end);
    text = text.slice(end + 1);
    return /^[0-9a-f]{40}$/.test(line) ? line : null;
  });
}
