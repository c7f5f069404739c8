import { stat } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Returns the folder, or its nearest existing ancestor. */
export async function nearestFolder(folder: string): Promise<string> {
  for (let path = folder; path !== dirname(path); path = dirname(path)) {
    const entry = await stat(path).catch(() => null);
    if (entry && !entry.isDirectory()) throw new Error(`${path} is not a folder`);
    if (entry) return path;
  }
  return '/';
}
