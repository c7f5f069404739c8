import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { unfinishedCopyOn } from '#kernel/database/copy/unfinished-copy.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { commandConfig } from '../framework/context.js';
import { withDatabase } from '../framework/database.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { requireStorage } from '../storage-roots/require-storage.js';
import { ListedKeys, MissingObjects, type Bereft } from './missing-objects.js';
import { StorageComparison } from './storage-comparison.js';
import type { Report, StorageProblem } from './storage-problem.js';
import { UnnamedObjects, type Amount } from './unnamed-objects.js';

/** Scope of the check. */
export interface StorageCheckOptions {
  readonly storage?: string;
  readonly fsck?: boolean;
  readonly removeObjects?: boolean;
  /** Minutes. */
  readonly grace: number;
}

const UNNAMED =
  'The database is older than the object store, or a process was killed: storage check --remove-objects lets them be removed.';

/** Missing objects of a folder that are listed. */
const EXAMPLES = 5;

/** What was checked, and given up. */
interface Checked {
  readonly repositories: number;
  /** Undefined if only one storage was chosen. */
  readonly objects?: number;
  readonly given?: Amount;
}

/**
 * Compares the database with the storages and the object store. Changes nothing, unless objects are to be removed. The exit code
 * is 1 if a problem is found.
 */
export async function storageCheck(options: StorageCheckOptions, asJson: boolean): Promise<CommandResult> {
  const config = commandConfig();
  const all = config.repositoryStorages;
  const { storage, removeObjects = false } = options;
  if (storage !== undefined) requireStorage(config, storage);
  if (storage !== undefined && removeObjects)
    throw new CommandError('--remove-objects is for all storages: leave out --storage');
  const chosen = storage === undefined ? [...all.keys()] : [storage];
  const problems: StorageProblem[] = [];
  const graceMs = options.grace * 60_000;
  const tell = (problem: StorageProblem): number => problems.push(problem);
  const checked = await withDatabase(config, ({ url }) => {
    const connection = {
      connectionString: utcUrl(url, `-c default_transaction_read_only=${removeObjects ? 'off' : 'on'}`),
      application_name: 'forgeplane-storage-check',
      connectionTimeoutMillis: 10_000,
    };
    return withClient(connection, async (client): Promise<Checked> => {
      const unfinished = await unfinishedCopyOn(client);
      if (unfinished !== null) throw new CommandError(unfinished);
      const how = { isThorough: options.fsck === true, graceMs, asJson };
      const repositories = await new StorageComparison(client, all, new Set(chosen), tell, how).run();
      if (storage !== undefined) return { repositories };
      return { repositories, ...(await checkObjects(client, config, tell, { graceMs, removeObjects })) };
    });
  });
  return present(checked, chosen, problems);
}

async function checkObjects(
  client: pg.Client,
  config: Config,
  report: Report,
  { graceMs, removeObjects }: { readonly graceMs: number; readonly removeObjects: boolean },
): Promise<Pick<Checked, 'objects' | 'given'>> {
  const store = await openObjectStorage(config, { asGuest: true });
  try {
    const named = await MissingObjects.before(client, store);
    const listed = new ListedKeys();
    const objects = new UnnamedObjects(client, store, graceMs, listed);
    const { all, unnamed } = await objects.count();
    reportMissing(await named.find(listed), report);
    if (removeObjects && unnamed.size > 0) {
      const number = [...unnamed.values()].reduce((sum, amount) => sum + amount.number, 0);
      if (number === all)
        throw new CommandError(
          'The database names none of the objects: is it that of this object store? If they are no longer needed, remove them by hand.',
        );
      return { objects: all, given: await objects.giveUp() };
    }
    for (const [path, amount] of [...unnamed].sort())
      report({
        storage: 'objects',
        path,
        problem: `holds ${words(amount)} that nothing names`,
        advice: UNNAMED,
        // A restored backup may bring them: of what was written while it was created, it has objects without rows.
        isNote: true,
      });
    return { objects: all };
  } finally {
    store.close();
  }
}

/** By the first folder of their keys. */
function reportMissing(missing: readonly Bereft[], report: Report): void {
  const folders = new Map<string, Bereft[]>();
  for (const row of missing) {
    const folder = row.key.slice(0, row.key.indexOf('/'));
    const rows = folders.get(folder);
    if (rows) rows.push(row);
    else folders.set(folder, [row]);
  }
  for (const [path, rows] of [...folders].sort()) {
    const some = rows.slice(0, EXAMPLES).map(({ table, id, key }) => `${key} of ${table} ${id}`);
    const number = `${rows.length} object${rows.length === 1 ? '' : 's'}`;
    report({
      storage: 'objects',
      path,
      problem: `lacks ${number} that the database names: ${some.join(', ')}${rows.length > EXAMPLES ? ', ...' : ''}`,
      advice: 'Restore them from a backup, or delete what names them.',
    });
  }
}

function present(
  { repositories, objects, given }: Checked,
  storages: readonly string[],
  problems: readonly StorageProblem[],
): CommandResult {
  const count = problems.filter(({ isNote }) => isNote !== true).length;
  const verdict = count === 0 ? 'all is well' : `${count} problems`;
  const what = `${repositories} repositories on ${storages.join(', ')}${objects ? `, ${objects} objects` : ''}`;
  return {
    json: {
      ok: count === 0,
      storages,
      repositories,
      ...(objects === undefined ? {} : { objects }),
      ...(given ? { removed_objects: given } : {}),
      problems,
    },
    lines: [
      ...problems.map(line),
      ...(given ? [`The running service removes ${words(given)} that nothing names.`] : []),
      `${what}: ${verdict}.`,
    ],
    exitCode: count === 0 ? 0 : 1,
  };
}

const words = ({ number, bytes }: Amount): string =>
  `${number} object${number === 1 ? '' : 's'} (${bytes} bytes)`;

const line = ({ storage, path, problem, advice, isNote }: StorageProblem): string =>
  `${isNote === true ? 'NOTE     ' : 'PROBLEM  '}${storage}:${path} ${problem}. ${advice}`;
