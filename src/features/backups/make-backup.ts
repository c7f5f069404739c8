import { randomBytes } from 'node:crypto';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { RELEASE } from '#kernel/config/release.js';
import { unfinishedCopyOn } from '#kernel/database/copy/unfinished-copy.js';
import { sequencesOf, SNAPSHOT, tablesOf, valuesOf } from '#kernel/database/copy/tables.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { countRepositories, findRepository } from '#core/repositories/expected-repositories.js';
import { BackupProblem } from './backup-problem.js';
import { BackupProgress, type ProgressPart } from './backup-progress.js';
import { openTarget, nameOfTarget, removeLeftOvers, requireMounted, withoutUser } from './backup-target.js';
import { Backups } from './backups.js';
import { dumpTable } from './dump-database.js';
import { dumpObjects } from './objects/dump-objects.js';
import { describeReferences, formerCopies } from './objects/former-copies.js';
import { readReferences, remaining, type ObjectReference } from './objects/object-references.js';
import { dumpRepositories } from './dump-repositories.js';
import { installationOn, isForeign } from './manifest/installation.js';
import {
  filesOf,
  type Manifest,
  type ObjectEntry,
  type RepositoryEntry,
  type TableEntry,
} from './manifest/manifest.js';
import { Lost, retain } from './retain.js';

/** Options of a backup. */
export interface BackupOrder {
  readonly config: Config;
  readonly databaseUrl: string;
  /** A folder, or `s3://bucket/prefix?...`. */
  readonly target: string;
  /** Number of backups to keep, including this one; undefined for all. */
  readonly keep: number | undefined;
  /** Copy everything, even if the previous backup has it. */
  readonly isFull: boolean;
  /** Accept a folder that has lost all backups that were made there. */
  readonly isNewTarget: boolean;
  /** Called with the kind of data being copied, and its approximate amount. */
  readonly onPhase: (label: string, total: number) => void;
  /** Called for each item; an exception ends the backup. */
  readonly onStep: () => void;
}

/** A finished backup. */
export interface MadeBackup {
  readonly manifest: Manifest;
  /** Names of older backups that were removed. */
  readonly removed: readonly string[];
  /** Messages about what is wrong though the backup is whole: lost objects of which it has copies, another passphrase. */
  readonly warnings: readonly string[];
}

/** Arbitrary number of an advisory lock other than those of the migrations and the start. */
const BACKUP_LOCK = 746_274_021;
const LOCK = 'select pg_try_advisory_lock($1) as mine';

// Before an upgrade the schema may still be one without the target.
const NOTE = `insert into backup_runs select * from jsonb_populate_record(null::backup_runs, $1::jsonb || jsonb_build_object('finished_at', now()))`;

const nameOf = (now: Date): string =>
  `${now.toISOString().replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`;

/**
 * Makes a backup while the service runs. One that is interrupted leaves the repositories and objects that it has copied, and the
 * next one continues from there. @throws BackupProblem if another one is running, or a restore into the database is not complete
 */
export async function makeBackup(order: BackupOrder): Promise<MadeBackup> {
  const { config, databaseUrl, target, keep, isFull, isNewTarget } = order;
  const storage = await openTarget(target, config);
  const backups = new Backups(storage, config.BACKUP_PASSPHRASE);
  return withClient({ connectionString: utcUrl(databaseUrl) }, async (client) => {
    // It is silent while objects are copied.
    await client.query('set idle_session_timeout = 0');
    // Two at once would remove files that the other builds on. The lock ends with the connection.
    const { rows } = await client.query<{ mine: boolean }>(LOCK, [BACKUP_LOCK]);
    if (rows[0]?.mine !== true) throw new BackupProblem('Another backup is being made');
    const unfinished = await unfinishedCopyOn(client);
    if (unfinished !== null) throw new BackupProblem(unfinished);
    const warnings: string[] = [];
    const installation = await installationOn(client);
    if (!isNewTarget) await requireMounted(client, backups, target);
    await removeLeftOvers(storage);
    const before = await knownBefore(backups, order, installation, warnings);
    const name = nameOf(new Date());
    const progress = new BackupProgress(backups, name, isFull);
    const lost = new Lost();
    const manifest = await dump(client, order, {
      backups,
      before,
      name,
      installation,
      progress,
      lost,
      warnings,
    }).catch(async (error: unknown) => {
      // Where not even this can be written (the target is full), nothing of it stays.
      const kept = await progress.save().then(
        () => progress.savedKeys,
        () => new Set<string>(),
      );
      await backups.remove(name, kept).catch(() => undefined);
      throw error;
    });
    await backups.finish(manifest);
    // From here on the backup is complete: a later error must not remove it.
    const run = {
      name,
      started_at: manifest.createdAt,
      bytes: bytesOf(manifest),
      target: nameOfTarget(target),
    };
    await client.query(NOTE, [JSON.stringify({ ...run, findings: manifest.findings.length })]);
    return { manifest, removed: await retain(backups, keep ?? Infinity, manifest, lost), warnings };
  });
}

/** Repositories and objects that need not be copied again. */
interface Known {
  readonly repositories: ReadonlyMap<number, RepositoryEntry>;
  readonly objects: ReadonlyMap<string, ObjectEntry>;
}

/**
 * Contents of the newest backup, and what interrupted backups since then have copied. A full backup reuses only what another
 * full one has copied.
 */
async function knownBefore(
  backups: Backups,
  { config, isFull }: BackupOrder,
  installation: string | undefined,
  warnings: string[],
): Promise<Known> {
  const whole = isFull ? null : await newestOwn(backups, config, installation, warnings);
  const repositories = new Map(whole?.repositories.map((one) => [one.id, one]));
  const objects = new Map(whole?.objects.map((one) => [one.key, one]));
  for (const name of await backups.interrupted()) {
    for (const part of await progressOf(backups, name)) {
      if (isFull && !part.isFull) continue;
      for (const one of part.repositories) repositories.set(one.id, one);
      for (const one of part.objects) objects.set(one.key, one);
    }
  }
  return { repositories, objects };
}

/** Returns the progress of a backup; nothing if the present passphrase does not open it. */
async function progressOf(backups: Backups, name: string): Promise<ProgressPart[]> {
  try {
    return await backups.progress(name);
  } catch (error) {
    if (error instanceof BackupProblem) return [];
    throw error;
  }
}

/**
 * Returns the backup to build on; null if this installation has none that the present passphrase opens: everything is
 * then copied. A warning names another passphrase: it may be mistyped, and unknown when the backup is needed.
 */
async function newestOwn(
  backups: Backups,
  { BACKUP_PASSPHRASE }: Config,
  installation: string | undefined,
  warnings: string[],
): Promise<Manifest | null> {
  let hasForeign = false;
  for (const name of (await backups.names()).toReversed()) {
    try {
      const manifest = await backups.manifest(name);
      if (!isForeign(manifest, installation)) return manifest;
    } catch (error) {
      // Without a passphrase the next backup would silently be unencrypted.
      if (!(error instanceof BackupProblem) || BACKUP_PASSPHRASE === undefined) throw error;
      warnings.push(
        `${error.message}: this passphrase does not open the backup before, so everything is copied again, and no older backup is removed`,
      );
      return null;
    }
    if (!hasForeign)
      warnings.push(
        `${name} is of another installation: its backups are left alone. Is DATABASE_URL, or DATA_DIR, that of the service? Each installation needs a target of its own`,
      );
    hasForeign = true;
  }
  return null;
}

/** Sums up the sizes of all files of a backup. */
export const bytesOf = (manifest: Manifest): number =>
  filesOf(manifest).reduce((sum, { size }) => sum + size, 0);

interface Dump {
  readonly backups: Backups;
  readonly before: Known;
  readonly name: string;
  /** Mark of the installation. */
  readonly installation: string | undefined;
  readonly progress: BackupProgress;
  /** Receives what could not be read. */
  readonly lost: Lost;
  /** Receives messages about what is wrong, but not with this backup. */
  readonly warnings: string[];
}

async function dump(
  client: pg.Client,
  { config, databaseUrl, onPhase, onStep }: BackupOrder,
  { backups, before, name, installation, progress, lost, warnings }: Dump,
): Promise<Manifest> {
  const createdAt = new Date().toISOString();
  const findings: string[] = [];
  await client.query(SNAPSHOT);
  const migrations = await valuesOf(client, 'schema_migrations', 'name');
  const secretsKeys = await valuesOf(client, 'secrets_keys', 'fingerprint');
  const tables: TableEntry[] = [];
  const all = await tablesOf(client);
  onPhase('tables', all.length);
  for (const table of all) {
    tables.push(await dumpTable(client, table, backups, name));
    onStep();
  }
  // After the snapshot: everything its rows refer to exists, and additional data does no harm.
  onPhase('repositories', await countRepositories(client));
  const { entries, storages } = await dumpRepositories(client, {
    backups,
    backup: name,
    config,
    before: before.repositories,
    progress,
    findNow: (id) => withClient({ connectionString: utcUrl(databaseUrl) }, (now) => findRepository(now, id)),
    onFinding: (finding, repositoryId) => {
      findings.push(finding);
      lost.repositories.add(repositoryId);
    },
    onStep,
  });
  const sequences = await sequencesOf(client);
  const isElsewhere = config.OBJECT_STORE_URL?.startsWith('s3://') === true && !config.BACKUP_COPIES_BUCKET;
  const references = isElsewhere ? new Map<string, ObjectReference>() : await readReferences(client);
  await client.query('commit');
  await progress.save();
  onPhase('objects', before.objects.size);
  const { entries: objects, damaged } = isElsewhere
    ? { entries: [], damaged: new Set<string>() }
    : await dumpObjects({
        backups,
        backup: name,
        objects: await openObjectStorage(config),
        before: before.objects,
        references,
        progress,
        onStep,
      });
  await requireConnection(client);
  for (const { key } of objects) references.delete(key);
  const { copies, copied, gone } = formerCopies(await remaining(client, references), before.objects);
  warnings.push(...describeReferences(copied, damaged, 'the copies of the backup before are used'));
  findings.push(...describeReferences(gone, damaged, 'there are no copies of them in the backup before'));
  for (const key of gone.keys()) lost.objects.add(key);
  return {
    format: 1,
    name,
    release: RELEASE,
    ...(installation === undefined ? {} : { installation }),
    createdAt,
    finishedAt: new Date().toISOString(),
    migrations,
    secretsKeys,
    storages,
    tables,
    sequences,
    repositories: entries,
    objects: [...objects, ...copies],
    objectsAt: isElsewhere ? withoutUser(config.OBJECT_STORE_URL ?? '').replace(/\?.*/, '') : null,
    findings,
  };
}

/** @throws BackupProblem if the connection was lost while nothing was asked, and the lock with it */
async function requireConnection(client: pg.Client): Promise<void> {
  try {
    await client.query('select');
  } catch (error) {
    throw new BackupProblem(
      'The connection to the database was lost, so another backup may have begun: this one is not complete, the next one continues from it',
      { cause: error },
    );
  }
}
