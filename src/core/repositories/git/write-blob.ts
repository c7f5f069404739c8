import type { ObjectDirectory } from '../objects/quarantine.js';
import { gitText } from './git.js';

/**
 * Stores a local file unchanged as an object of a repository. `filePath` is absolute. @returns the id of its
 * blob
 */
export const writeBlob = ({ path, env }: ObjectDirectory, filePath: string): Promise<string> =>
  gitText(path, ['hash-object', '-w', '--no-filters', '--', filePath], { env, timeoutMs: 60_000 });
