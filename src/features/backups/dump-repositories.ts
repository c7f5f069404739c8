import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { join } from 'node:path';
import { expectedRepositories, type ExpectedRepository } from '#core/repositories/expected-repositories.js';
import { TargetProblem } from './backup-problem.js';
import type { BackupProgress } from './backup-progress.js';
import type { Backups } from './backups.js';
import type { RepositoryEntry } from './manifest/manifest.js';
import { packObjects, present, readRefs } from './repository-packs.js';

/** Limit of packs that build on each other: more slow a restore down, and prevent removing backups. */
const MAX_PACKS = 10;

/** Number of paths where a repository is looked for, if it is moved again and again. */
const ATTEMPTS = 3;

/** Context of copying repositories. */
export interface RepositoriesDump {
  readonly backups: Backups;
  readonly backup: string;
  readonly config: Config;
  /** Repositories of the previous backup by id. */
  readonly before: ReadonlyMap<number, RepositoryEntry>;
  readonly progress: BackupProgress;
  /** Reads the present state of a repository, which may have been moved since the snapshot. */
  readonly findNow: (id: number) => Promise<ExpectedRepository | undefined>;
  readonly onFinding: (finding: string, repositoryId: number) => void;
  readonly onStep: () => void;
}

/** Copies all repositories of the snapshot: only objects that are new since the previous backup. */
export async function dumpRepositories(
  client: pg.Client,
  dump: RepositoriesDump,
): Promise<{ entries: RepositoryEntry[]; storages: string[] }> {
  const entries: RepositoryEntry[] = [];
  const storages = new Set<string>();
  for await (const repository of expectedRepositories(client)) {
    dump.onStep();
    if (repository.storage === null || !repository.isWritten) continue;
    storages.add(repository.storage);
    let entry: RepositoryEntry;
    try {
      entry = await dumpWhereItIs(repository, repository.storage, dump);
    } catch (error) {
      // Without room for it the backup would be complete without it, and older ones would be removed.
      if (error instanceof TargetProblem) throw error;
      // A problem of one repository does not affect the others.
      dump.onFinding(`${repository.label}: ${(error as Error).message}`, repository.id);
      continue;
    }
    entries.push(entry);
    if (entry.packs.some(({ key }) => key.startsWith(`${dump.backup}/`)))
      await dump.progress.addRepository(entry);
  }
  return { entries, storages: [...storages].sort() };
}

/** A move copies a repository, and then removes it where it was. */
async function dumpWhereItIs(
  repository: ExpectedRepository,
  storage: string,
  dump: RepositoriesDump,
): Promise<RepositoryEntry> {
  for (let at = storage, attempt = 1; ; attempt += 1) {
    try {
      return await dumpRepository(repository, at, dump);
    } catch (error) {
      if (error instanceof TargetProblem || attempt === ATTEMPTS) throw error;
      const now = (await dump.findNow(repository.id))?.storage ?? at;
      if (now === at) throw error;
      at = now;
    }
  }
}

async function dumpRepository(
  { id, identity, label, path: relative }: ExpectedRepository,
  storage: string,
  { backups, backup, config, before }: RepositoriesDump,
): Promise<RepositoryEntry> {
  const folder = config.repositoryStorages.get(storage);
  if (folder === undefined) throw new Error(`its storage ${storage} is not configured`);
  const path = join(folder, relative);
  const { head, refs } = await readRefs(path);
  const tips = [...new Set(Object.values(refs))];
  const former = before.get(id);
  const bases = former && former.packs.length < MAX_PACKS ? [...new Set(Object.values(former.refs))] : [];
  const known = await present(path, bases);
  const isGrown = known.length === bases.length && former !== undefined && bases.length > 0;
  const packs = isGrown ? former.packs : [];
  const knownTips = new Set(isGrown ? bases : []);
  if (tips.every((tip) => knownTips.has(tip))) return { id, identity, label, head, refs, packs };
  const key = `${backup}/repositories/${id}.pack.gz`;
  const pack = await packObjects(path, tips, isGrown ? bases : [], (content) => backups.write(key, content));
  return { id, identity, label, head, refs, packs: [...packs, pack] };
}
