import type { Config } from '#kernel/config/config.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { migrate } from '#kernel/database/migrate.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import type { ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';
import { findRepository } from '#core/repositories/expected-repositories.js';
import { commandConfig } from '../framework/context.js';
import { withDatabase } from '../framework/database.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { showProgress } from '../framework/progress.js';
import { openTarget } from '#features/backups/backup-target.js';
import { Backups } from '#features/backups/backups.js';
import type { Manifest } from '#features/backups/manifest.js';
import { makeSchemaOf, requireEmptyDatabase, restoreTables } from './restore-database.js';
import {
  markStorages,
  requireEmptyStorages,
  restoreRepositories,
  restoreRepository,
} from './restore-repositories.js';

/** Which backup to restore, and what of it. */
export interface RestoreBackupOptions {
  readonly target: string;
  /** Default: the newest. */
  readonly name?: string;
  /** Full path of a project whose repository alone is restored. */
  readonly project?: string;
}

/**
 * Restores a backup into an empty database, empty storages and an empty object store, or only one project's
 * repository.
 */
export async function restoreBackup(
  { target, name, project }: RestoreBackupOptions,
  asJson: boolean,
): Promise<CommandResult> {
  const config = commandConfig();
  const backups = new Backups(await openTarget(target, config), config.BACKUP_PASSPHRASE);
  const wanted = name ?? (await backups.names()).at(-1);
  if (wanted === undefined) throw new CommandError(`${target} holds no backup`);
  const manifest = await backups.manifest(wanted);
  return withDatabase(config, ({ url }) =>
    project === undefined
      ? restoreAll(url, manifest, backups, config, asJson)
      : restoreProject(url, manifest, backups, config, project),
  );
}

async function restoreAll(
  url: string,
  manifest: Manifest,
  backups: Backups,
  config: Config,
  asJson: boolean,
): Promise<CommandResult> {
  requireKeys(manifest, config);
  await requireEmptyDatabase(url);
  await requireEmptyStorages(manifest, config);
  const objects = await openObjectStorage(config);
  if (manifest.objects.length > 0) await requireNoObjects(objects);
  await makeSchemaOf(manifest, url);
  const bar = showProgress('objects and repositories', total(manifest), asJson);
  // Rows are committed last, so a database with data means that the restore was complete.
  for (const { key, file } of manifest.objects) {
    await backups.read(file, (content) => objects.put(key, content));
    bar.step();
  }
  await restoreTables(url, manifest, backups, async (client) => {
    await restoreRepositories(client, manifest, backups, config, () => bar.step());
    await markStorages(client, config);
  });
  bar.end();
  const applied = await migrate(url);
  const { name, tables, repositories } = manifest;
  return {
    json: {
      name,
      tables: tables.length,
      repositories: repositories.length,
      objects: manifest.objects.length,
      applied,
    },
    lines: [
      `Restored ${name}: ${tables.length} tables, ${repositories.length} repositories, ${manifest.objects.length} objects.`,
      ...(manifest.objectsAt === null
        ? []
        : [`Objects are not part of it: they lie at ${manifest.objectsAt}.`]),
      ...manifest.findings.map((finding) => `NOT IN THE BACKUP: ${finding}`),
      'Now run `npm run cli -- doctor` and `npm run cli -- storage check`.',
    ],
  };
}

const total = ({ objects, repositories }: Manifest): number => objects.length + repositories.length;

/** Data encrypted with a key that is not configured here could never be read again. */
function requireKeys({ secretsKeys }: Manifest, config: Config): void {
  const { fingerprints } = new SecretBox(config);
  if (secretsKeys.some((one) => !fingerprints.includes(one)))
    throw new CommandError(
      'SECRETS_KEY is not the one that the secrets of the backup are sealed with: give it as it was (or DATA_DIR/secrets.key)',
    );
}

async function requireNoObjects(objects: ObjectStorage): Promise<void> {
  for await (const { key } of objects.list())
    throw new CommandError(`The object store is not empty: it holds ${key}`);
}

const REPOSITORY = `select r.id from repositories r join projects p on r.owner_type = 'Project' and r.kind = 'code' and r.owner_id = p.id
  join routes u on u.source_type = 'Project' and u.source_id = p.id where u.path = lower($1)`;

async function restoreProject(
  url: string,
  manifest: Manifest,
  backups: Backups,
  config: Config,
  project: string,
): Promise<CommandResult> {
  return withClient({ connectionString: utcUrl(url) }, async (client) => {
    const { rows } = await client.query<{ id: number }>(REPOSITORY, [project]);
    const expected = rows[0] && (await findRepository(client, rows[0].id));
    if (!expected) throw new CommandError(`There is no project ${project} with a repository`);
    const entry = manifest.repositories.find(({ id }) => id === expected.id);
    if (!entry) throw new CommandError(`The backup ${manifest.name} has no repository of ${project}`);
    const folder = expected.storage === null ? undefined : config.repositoryStorages.get(expected.storage);
    if (folder === undefined) throw new CommandError(`The storage of ${project} is not configured`);
    await restoreRepository(expected, folder, entry, backups);
    return {
      json: { name: manifest.name, project, refs: Object.keys(entry.refs).length },
      lines: [`Restored the repository of ${project} from ${manifest.name}; what was there is set aside.`],
    };
  });
}
