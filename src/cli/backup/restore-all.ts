import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { causeOf } from '#kernel/config/start-problem.js';
import { CopyJournal } from '#kernel/database/copy/copy-journal.js';
import type { CopyProgress } from '#kernel/database/copy/load-tables.js';
import { makeSchema } from '#kernel/database/copy/make-schema.js';
import { migrate } from '#kernel/database/migrate.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { nameOfTarget } from '#features/backups/backup-target.js';
import type { Backups } from '#features/backups/backups.js';
import type { Manifest } from '#features/backups/manifest/manifest.js';
import { STORAGE_FILE } from '#core/repositories/storages/storage-file.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import {
  destinationsOf,
  requireEmptyStorages,
  requireKeys,
  requireKnownMigrations,
  requireNoObjects,
} from './restore-checks.js';
import { restoreTables } from './restore-database.js';
import { restoreObjects } from './restore-objects.js';
import { markStorages, requireMarks, restoreRepositories } from './restore-repositories.js';

/** What a whole restore works with. */
export interface WholeRestore {
  readonly client: pg.Client;
  readonly url: string;
  readonly config: Config;
  readonly backups: Backups;
  readonly target: string;
  /** The backup that was requested by name. */
  readonly name: string | undefined;
  /** That one, or the newest. */
  readonly first: Manifest;
  readonly progress: CopyProgress;
}

/** What this run has copied; the rest was there. */
interface Copied {
  readonly tables: number;
  readonly repositories: number;
  readonly objects: number;
  readonly applied: readonly string[];
}

/** Restores everything into an empty database, empty storages and an empty object store, or continues that. */
export async function restoreAll(restore: WholeRestore): Promise<CommandResult> {
  const { client, config } = restore;
  const journal = await CopyJournal.open(client);
  const manifest = await wanted(journal, restore);
  requireKeys(manifest, config);
  await requireKnownMigrations(manifest);
  await (journal.begun ? resume(journal, manifest, restore) : begin(journal, manifest, restore));
  try {
    return resultOf(manifest, await copy(journal, manifest, restore));
  } catch (error) {
    throw new CommandError(
      `${causeOf(error)}. The restore is not complete: the same command continues where it stopped.`,
      { cause: error },
    );
  }
}

/** A newer backup may have been made since the restore was begun. */
async function wanted(
  { begun }: CopyJournal,
  { backups, target, name, first }: WholeRestore,
): Promise<Manifest> {
  const own = begun?.facts['backup'];
  if (own === undefined || name !== undefined || own === first.name) return first;
  if ((await backups.names()).includes(own)) return backups.manifest(own);
  throw new CommandError(
    `${begun?.what} is not complete, and ${nameOfTarget(target)} does not hold that backup. ${ANEW}`,
  );
}

/** Step that marks the storages: from then on they may hold repositories. */
const STORAGES = 'storages marked';

const ANEW = 'To restore another one, empty the database, the storages and the object store first.';

const factsOf = (manifest: Manifest, config: Config): Record<string, string> => ({
  backup: manifest.name,
  'digest of its manifest': createHash('sha256').update(JSON.stringify(manifest)).digest('hex'),
  ...destinationsOf(manifest, config),
});

/** @throws CommandError if this is not the restore that was begun */
async function resume(journal: CopyJournal, manifest: Manifest, { config }: WholeRestore): Promise<void> {
  const { begun } = journal;
  const now = factsOf(manifest, config);
  for (const [name, value] of Object.entries(begun?.facts ?? {}))
    if (now[name] !== value)
      throw new CommandError(
        `${begun?.what} is not complete, and was begun with another ${name}: ${value}, not ${now[name] ?? 'none'}. ${ANEW}`,
      );
  if (!journal.has(STORAGES)) await requireUnfilled(manifest, config);
}

/** Another disk may have been mounted since the storages were found empty. */
const requireUnfilled = (manifest: Manifest, config: Config): Promise<void> =>
  requireEmptyStorages(manifest, config, (name) => name.startsWith(STORAGE_FILE));

const quoted = (word: string): string =>
  /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;

async function begin(
  journal: CopyJournal,
  manifest: Manifest,
  { config, target }: WholeRestore,
): Promise<void> {
  await requireEmptyStorages(manifest, config);
  await requireNoObjects(manifest, config);
  await journal.begin({
    what: `The restore of backup ${manifest.name}`,
    command: `npm run cli -- backup restore --target ${quoted(nameOfTarget(target))} --name ${manifest.name}`,
    facts: factsOf(manifest, config),
  });
}

async function copy(
  journal: CopyJournal,
  manifest: Manifest,
  { client, url, config, backups, progress }: WholeRestore,
): Promise<Copied> {
  await journal.once('schema', () => makeSchema(url, manifest.migrations));
  const tables = await restoreTables(client, journal, manifest, backups, progress);
  await journal.once(STORAGES, async () => {
    await requireUnfilled(manifest, config);
    await markStorages(client, config);
  });
  await requireMarks(client, manifest.storages, config, ' that the restore was begun on');
  const repositories = await restoreRepositories(client, journal, manifest, backups, config, progress);
  const objects = await restoreObjects(await openObjectStorage(config), manifest, backups, progress);
  const applied = await migrate(url, { isCopy: true });
  await journal.end();
  return { tables, repositories, objects, applied };
}

function resultOf(
  { name, tables, repositories, objects, objectsAt, findings }: Manifest,
  copied: Copied,
): CommandResult {
  return {
    json: {
      name,
      tables: tables.length,
      tables_copied: copied.tables,
      repositories: repositories.length,
      repositories_copied: copied.repositories,
      objects: objects.length,
      objects_copied: copied.objects,
      applied: copied.applied,
    },
    lines: [
      `Restored ${name}: ${tables.length} tables (${copied.tables} now), ${repositories.length} repositories (${copied.repositories} now), ${objects.length} objects (${copied.objects} now).`,
      ...(objectsAt === null ? [] : [`Objects are not part of it: they lie at ${objectsAt}.`]),
      ...findings.map((finding) => `NOT IN THE BACKUP: ${finding}`),
      'Now run `npm run cli -- doctor` and `npm run cli -- storage check`.',
    ],
  };
}
