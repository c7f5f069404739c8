/** What a URL of git means, whether it exists or not. */
export type GitTarget =
  /** The code or the wiki of what lies at a full path; only wikis have groups. */
  | { readonly kind: 'code' | 'wiki'; readonly fullPath: string }
  /** A snippet; of the project at a full path, or a personal one. */
  | { readonly kind: 'snippet'; readonly id: number; readonly projectPath: string | null };

/** A URL of git, taken apart. */
export interface GitUrl {
  /** Null for what can be the address of nothing. */
  readonly target: GitTarget | null;
  /** Without `.git` it only leads to the URL that has it. */
  readonly hasSuffix: boolean;
}

/** Full paths as they can exist, in the form in which a URL spells them: escapes, dots alone and empty segments are none. */
const FULL_PATH = /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/;
const SNIPPET = /^(?:(.+)\/)?snippets\/(\d{1,15})$/;
const MAX_PATH = 1024;

/** Reads the part of a path before `/info/refs` and its like. */
export function readGitUrl(repositoryPath: string): GitUrl {
  const hasSuffix = repositoryPath.endsWith('.git');
  const path = repositoryPath.slice(1, hasSuffix ? -'.git'.length : undefined);
  return { hasSuffix, target: path.length <= MAX_PATH && FULL_PATH.test(path) ? targetOf(path) : null };
}

function targetOf(path: string): GitTarget | null {
  const snippet = SNIPPET.exec(path);
  if (snippet) return { kind: 'snippet', id: Number(snippet[2]), projectPath: snippet[1] ?? null };
  if (path.endsWith('.wiki')) return { kind: 'wiki', fullPath: path.slice(0, -'.wiki'.length) };
  return path.includes('/') ? { kind: 'code', fullPath: path } : null;
}
