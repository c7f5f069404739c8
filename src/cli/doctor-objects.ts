import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { ObjectNotFound, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';

/**
 * Limit of rows checked per table, so that checking them one by one stays fast even if each takes a request
 * to S3.
 */
const LIMIT = 100;

/** Tables whose rows refer to one object each, with the label of a row. */
const LABELS = {
  ci_job_artifacts: `'artifact ' || id || ' of CI job ' || job_id`,
  package_files: `'file ' || id || ' of package ' || package_id`,
  alert_metric_images: `'image ' || id || ' of alert ' || alert_id`,
  avatars: `'avatar of ' || case when user_id is not null then 'user ' || user_id
    when group_id is not null then 'group ' || group_id else 'project ' || project_id end`,
} as const;

interface Holder {
  readonly id: number;
  readonly key: string;
  readonly label: string;
}

/** Returns the newest rows of a table whose object is missing from the object storage. */
export async function missingObjects(
  client: pg.Client,
  config: Config,
  table: keyof typeof LABELS,
): Promise<string[]> {
  const newest = `select id, object_key as key, ${LABELS[table]} as label from ${table} order by id desc limit ${LIMIT}`;
  const { rows } = await client.query<Holder>(newest);
  if (rows.length === 0) return [];
  const storage = await openObjectStorage(config);
  try {
    const missing: Holder[] = [];
    for (const holder of rows) if (!(await isThere(storage, holder.key))) missing.push(holder);
    return await stillNamed(client, table, missing);
  } finally {
    storage.close();
  }
}

async function isThere(storage: ObjectStorage, key: string): Promise<boolean> {
  try {
    await storage.head(key);
    return true;
  } catch (error) {
    if (error instanceof ObjectNotFound) return false;
    throw error;
  }
}

/** Leaves out objects that were removed in the meantime. */
async function stillNamed(
  client: pg.Client,
  table: keyof typeof LABELS,
  missing: readonly Holder[],
): Promise<string[]> {
  const ids = missing.map(({ id }) => id);
  const { rows } = await client.query<{ id: number }>(`select id from ${table} where id = any($1)`, [ids]);
  const left = new Set(rows.map(({ id }) => id));
  return missing.filter(({ id }) => left.has(id)).map(({ label }) => label);
}
