import { gitText } from './git.js';

/** Stores a file of this machine, as it is, in a repository. `filePath` is absolute. @returns the id of its blob */
export const writeBlob = (repositoryPath: string, filePath: string): Promise<string> =>
  gitText(repositoryPath, ['hash-object', '-w', '--no-filters', '--', filePath], { timeoutMs: 60_000 });
