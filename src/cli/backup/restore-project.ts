import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { unfinishedCopyOn } from '#kernel/database/copy/unfinished-copy.js';
import { enqueueOutside } from '#kernel/queue/jobs.js';
import { MeasureRepositoryJob } from '#core/repositories/measure/measure-repository.job.js';
import { findRepository } from '#core/repositories/expected-repositories.js';
import type { Backups } from '#features/backups/backups.js';
import { installationOn, isForeign } from '#features/backups/manifest/installation.js';
import type { Manifest } from '#features/backups/manifest/manifest.js';
import { CommandError, type CommandResult } from '../framework/output.js';
import { removeUnnamed } from '#core/repositories/storages/create-repository.js';
import { requireMarks, restoreRepository } from './restore-repositories.js';

const REPOSITORY = `select r.id from repositories r join projects p on r.owner_type = 'Project' and r.kind = 'code' and r.owner_id = p.id
  join routes u on u.source_type = 'Project' and u.source_id = p.id where u.path = lower($1)`;

/** The lock ends with the connection, which is silent while a pack is read. */
const LOCK = `select pg_try_advisory_lock(hashtextextended('restore of repository ' || $1::text, 0)) as mine`;
const STAY = 'set idle_session_timeout = 0';

const STORAGE = `select p.repository_storage as storage, p.repository_read_only as "isMoving" from repositories r
  join projects p on p.id = r.owner_id where r.id = $1`;

interface StorageRow {
  readonly storage: string;
  readonly isMoving: boolean;
}

/** Restores the repository of one project into the installation that is there, which then measures its size, commits and languages again. */
export async function restoreProject(
  client: pg.Client,
  manifest: Manifest,
  backups: Backups,
  config: Config,
  project: string,
): Promise<CommandResult> {
  const unfinished = await unfinishedCopyOn(client);
  if (unfinished !== null) throw new CommandError(unfinished);
  const { rows } = await client.query<{ id: number }>(REPOSITORY, [project]);
  const expected = rows[0] && (await findRepository(client, rows[0].id));
  if (!expected) throw new CommandError(`There is no project ${project} with a repository`);
  const entry = manifest.repositories.find(({ id }) => id === expected.id);
  if (!entry) throw new CommandError(`The backup ${manifest.name} has no repository of ${project}`);
  const { identity = expected.identity } = entry;
  if (identity !== expected.identity || isForeign(manifest, await installationOn(client)))
    throw new CommandError(
      `The repository with the id of ${project} in the backup ${manifest.name} is not that of ${project}: the backup is of another installation, or this one was restored to an older state since`,
    );
  const folder = expected.storage === null ? undefined : config.repositoryStorages.get(expected.storage);
  if (folder === undefined) throw new CommandError(`The storage of ${project} is not configured`);
  if (expected.identity === null)
    throw new CommandError(`${expected.label} has no identity: start the service once`);
  await lock(client, expected.id, project);
  // Below the mount point of another disk it would be hidden, and be missing where it belongs.
  await requireMarks(client, [String(expected.storage)], config);
  // A move copies what is there now, and removes what it finds later.
  const assertUnmoved = async (): Promise<void> => {
    const { rows: found } = await client.query<StorageRow>(STORAGE, [expected.id]);
    const [{ storage, isMoving } = { storage: null, isMoving: true }] = found;
    if (isMoving || storage !== expected.storage)
      throw new CommandError(`The repository of ${project} is being moved, or was: try again`);
  };
  await assertUnmoved();
  await removeUnnamed(join(folder, expected.path));
  await restoreRepository(
    { ...expected, identity: expected.identity },
    folder,
    entry,
    backups,
    assertUnmoved,
  );
  await enqueueOutside(client, MeasureRepositoryJob, { repositoryId: expected.id });
  return {
    json: { name: manifest.name, project, refs: Object.keys(entry.refs).length },
    lines: [`Restored the repository of ${project} from ${manifest.name}; what was there is set aside.`],
  };
}

/** Two at once would remove what the other unpacks. @throws CommandError if another one is running */
async function lock(client: pg.Client, id: number, project: string): Promise<void> {
  await client.query(STAY);
  const { rows } = await client.query<{ mine: boolean }>(LOCK, [id]);
  if (rows[0]?.mine !== true)
    throw new CommandError(`The repository of ${project} is being restored already`);
}
