import { GitFailure } from '../git/git-failure.js';
import { RepositoryDamaged } from '../git/damage/repository-damaged.js';
import { parseEntry, type TreeEntry } from '../git/tree-entries.js';
import { walkTree } from '../git/walk-tree.js';
import { BRANCHES } from '../refs/read-refs.js';
import { languageOf, languageShares } from './languages.js';

/** Facts about a project from the files of its default branch. */
export interface InspectedTree {
  /** Share of each language in percent. */
  readonly languages: Readonly<Record<string, number>>;
  /** Path of the README in the root, or null. */
  readonly readmePath: string | null;
}

const TIMEOUT_MS = 120_000;
/** A root has few entries, and a push waits for its README. */
const ROOT_TIMEOUT_MS = 5_000;

/** Names of README files. */
const README = /^readme(?:\.(md|markdown|mkd|adoc|asciidoc|rst|org|txt|textile|rdoc))?$/i;

/** Inspects the files of the branch of HEAD; null if it has no commit, or too many files. */
export async function inspectTree(path: string): Promise<InspectedTree | null> {
  const bytes = new Map<string, number>();
  const readmes: string[] = [];
  try {
    const walk = { recursive: true, sizes: true, timeoutMs: TIMEOUT_MS };
    const end = await walkTree(path, 'HEAD', walk, (line) => {
      const entry = parseEntry(line.toString('utf8'));
      if (!entry || !isFile(entry)) return true;
      if (isReadme(entry)) readmes.push(entry.path);
      const language = languageOf(entry.path);
      if (language !== null) bytes.set(language, (bytes.get(language) ?? 0) + (entry.size ?? 0));
      return true;
    });
    if (end === 'too many') return null;
  } catch (error) {
    if (error instanceof RepositoryDamaged || (error instanceof GitFailure && error.reason !== 'spawn'))
      return null;
    throw error;
  }
  return { languages: languageShares(bytes), readmePath: bestOf(readmes) };
}

/** Returns the path of the README in the root of a branch; null if there is none, or if it is unknown. */
export async function readmeOf(path: string, branch: string): Promise<string | null> {
  const readmes: string[] = [];
  try {
    await walkTree(path, BRANCHES + branch, { timeoutMs: ROOT_TIMEOUT_MS }, (line) => {
      const entry = parseEntry(line.toString('utf8'));
      if (entry && isReadme(entry)) readmes.push(entry.path);
      return true;
    });
  } catch {
    return null;
  }
  return bestOf(readmes);
}

const isFile = ({ type, mode }: TreeEntry): boolean => type === 'blob' && mode !== '120000';

const isReadme = (entry: TreeEntry): boolean => isFile(entry) && README.test(entry.path);

/** Prefers Markdown, then other markup, then plain text. */
const rank = (name: string): number =>
  /\.(md|markdown|mkd)$/i.test(name) ? 0 : /\.(txt|textile|rdoc)$/i.test(name) || !name.includes('.') ? 2 : 1;

const byRank = (a: string, b: string): number => rank(a) - rank(b) || (a < b ? -1 : 1);

const bestOf = (readmes: readonly string[]): string | null => readmes.toSorted(byRank)[0] ?? null;
