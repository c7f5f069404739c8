import { stat } from 'node:fs/promises';

/** Returns whether two paths are the same folder, through any links or mounts. */
export async function isSameFolder(one: string, other: string): Promise<boolean> {
  const facts = await Promise.all([one, other].map((path) => stat(path, { bigint: true }).catch(() => null)));
  const [a, b] = facts;
  return a?.dev === b?.dev && a?.ino === b?.ino && a?.ino !== undefined;
}
