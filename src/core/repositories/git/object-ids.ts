import { git } from './git.js';

/**
 * The ids that expressions lead to, in one process; null for what is not there. An expression may be `<full id>:<path>`; none may hold
 * a NUL.
 */
export async function objectIds(
  repositoryPath: string,
  expressions: readonly string[],
): Promise<(string | null)[]> {
  if (expressions.length === 0) return [];
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
