/** Possible target of a git URL, whether it exists or not. */
export type GitTarget =
  /** The code or the wiki at a full path; groups have only wikis. */
  | { readonly kind: 'code' | 'wiki'; readonly fullPath: string }
  /** A snippet: of the project at a full path, or a personal one. */
  | { readonly kind: 'snippet'; readonly id: number; readonly projectPath: string | null };

/** A parsed git URL. */
export interface GitUrl {
  /** Null if it cannot have a target. */
  readonly target: GitTarget | null;
  /** Without `.git` it only redirects to the URL with it. */
  readonly hasSuffix: boolean;
}

/** Possible full paths, as spelled in a URL: without escapes, dot segments and empty segments. */
const FULL_PATH = /^[A-Za-z0-9_][\w.-]*(\/[A-Za-z0-9_][\w.-]*)*$/;
const SNIPPET = /^(?:(.+)\/)?snippets\/(\d{1,15})$/;
const MAX_PATH = 1024;

/** Parses the part of a path before `/info/refs` and similar. */
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
