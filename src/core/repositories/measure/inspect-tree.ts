import { git } from '../git/git.js';
import { GitFailure } from '../git/git-failure.js';
import { parseEntry } from '../git/tree-entries.js';
import { languageOf, languageShares } from './languages.js';

/** What the files of the default branch tell of a project. */
export interface InspectedTree {
  /** Share in percent of each language. */
  readonly languages: Readonly<Record<string, number>>;
  /** The file in the root that introduces the project, or null. */
  readonly readmePath: string | null;
}

/** Some million files; what is larger is not looked at. */
const MAX_BYTES = 256 * 1024 * 1024;
const TIMEOUT_MS = 120_000;

/** Files that introduce a project. */
const README = /^readme(?:\.(md|markdown|mkd|adoc|asciidoc|rst|org|txt|textile|rdoc))?$/i;

/** Looks through the files of the branch that HEAD names; null where that has no commit, or too many files. */
export async function inspectTree(path: string): Promise<InspectedTree | null> {
  let output: Buffer;
  try {
    output = await git(path, ['ls-tree', '-r', '-l', '-z', '--full-tree', 'HEAD'], {
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
    });
  } catch (error) {
    if (error instanceof GitFailure && error.reason !== 'spawn') return null;
    throw error;
  }
  const bytes = new Map<string, number>();
  const readmes: string[] = [];
  for (const line of lines(output)) {
    const entry = parseEntry(line);
    if (entry?.type !== 'blob' || entry.mode === '120000') continue;
    if (README.test(entry.path)) readmes.push(entry.path);
    const language = languageOf(entry.path);
    if (language !== null) bytes.set(language, (bytes.get(language) ?? 0) + (entry.size ?? 0));
  }
  return { languages: languageShares(bytes), readmePath: readmes.sort(byRank)[0] ?? null };
}

/** Markdown first, other markup next, plain text last. */
const rank = (name: string): number =>
  /\.(md|markdown|mkd)$/i.test(name) ? 0 : /\.(txt|textile|rdoc)$/i.test(name) || !name.includes('.') ? 2 : 1;

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1);

/** One after the other: a large tree is never held as strings. */
function* lines(output: Buffer): Generator<string> {
  for (let from = 0; from < output.length;) {
    const end = output.indexOf(0, from);
    if (end < 0) return;
    yield output.toString('utf8', from, end);
    from = end + 1;
  }
}
