/** Full ids of what a commit names. */
export interface CommitLinks {
  readonly tree: string;
  readonly parents: readonly string[];
}

/** Git takes as parents only the lines before the author, and accepts any further header, even one that looks like a parent. */
const LINKS = /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author /;

/** Reads the tree and the parents of a commit from its content, as git does; null if only git can read it. */
export function readLinks(content: string): CommitLinks | null {
  const [, tree, lines = ''] = LINKS.exec(content) ?? [];
  if (tree === undefined) return null;
  return { tree, parents: [...lines.matchAll(/[0-9a-f]{40}/g)].map(([id]) => id) };
}
