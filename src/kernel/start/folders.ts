import { constants } from 'node:fs';
import { access, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '#kernel/config/config.js';
import { causeOf, StartProblem } from '#kernel/config/start-problem.js';
import { makeFolder } from '#kernel/disk/durable.js';
import { logger } from '#kernel/log/logger.js';
import { within } from '#kernel/time/within.js';

/** Network folders may not respond at all. */
const TIMEOUT_MS = 10_000;

/**
 * Ensures that the folders are writable. An unwritable repository storage affects only its own repositories,
 * as long as there are others; readiness follows the same rule. @throws StartProblem
 */
export async function checkFolders(config: Config): Promise<void> {
  await requireWritable('DATA_DIR', config.DATA_DIR);
  if (config.OBJECT_STORE_URL?.startsWith('file:'))
    await requireWritable('OBJECT_STORE_URL', fileURLToPath(config.OBJECT_STORE_URL));
  const problems = await storageProblems(config);
  const all = `REPOSITORY_STORAGES has folders that are not writable (${problems.join('; ')}): give the user of this process write access, or correct the paths.`;
  if (problems.length === config.repositoryStorages.size) throw new StartProblem(all);
  if (problems.length > 0) logger.error(all);
}

/**
 * Returns the problems that prevent creating repositories, a line for each storage. A missing storage is
 * created with its first repository.
 */
export async function storageProblems(config: Config): Promise<string[]> {
  const found = [...config.repositoryStorages].map(async ([name, path]) => {
    const problem = await problemOf(path, () => checkAbove(path));
    return problem === null ? [] : [`${name}: ${problem}`];
  });
  return (await Promise.all(found)).flat();
}

async function requireWritable(variable: string, folder: string): Promise<void> {
  const problem = await problemOf(folder, () => writeTo(folder));
  if (problem !== null)
    throw new StartProblem(
      `${variable} is not writable (${problem}): give the user of this process write access, or choose another folder.`,
    );
}

async function problemOf(folder: string, work: () => Promise<void>): Promise<string | null> {
  const answer = work().then(() => null, causeOf);
  return within(TIMEOUT_MS, answer, () => `${folder} does not respond`);
}

async function writeTo(folder: string): Promise<void> {
  await makeFolder(folder);
  const file = join(folder, `.forgeplane-start-${process.pid}`);
  await writeFile(file, 'probe');
  await rm(file, { force: true });
}

async function checkAbove(path: string): Promise<void> {
  for (let folder = path; ; folder = dirname(folder)) {
    const entry = await stat(folder).catch((error: unknown) => {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return null;
      throw error;
    });
    if (entry && !entry.isDirectory()) throw new Error(`${folder} is not a folder`);
    if (entry) return access(folder, constants.W_OK | constants.X_OK);
  }
}
