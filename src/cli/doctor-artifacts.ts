import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { ObjectNotFound, type ObjectStorage } from '#kernel/object-storage/object-storage.js';
import { openObjectStorage } from '#kernel/object-storage/open-storage.js';

/** So many can be asked for one after the other without anybody waiting long, also where each is a request to S3. */
const LIMIT = 100;

const NEWEST = `select id, object_key as key, 'artifact ' || id || ' of CI job ' || job_id as label
  from ci_job_artifacts order by id desc limit ${LIMIT}`;

interface Artifact {
  readonly id: number;
  readonly key: string;
  readonly label: string;
}

/** Names the youngest artifacts whose object is not in the object storage. */
export async function missingArtifacts(client: pg.Client, config: Config): Promise<string[]> {
  const { rows } = await client.query<Artifact>(NEWEST);
  if (rows.length === 0) return [];
  const storage = await openObjectStorage(config);
  try {
    const missing: Artifact[] = [];
    for (const artifact of rows) if (!(await isThere(storage, artifact.key))) missing.push(artifact);
    return await stillNamed(client, missing);
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

/** One that was removed meanwhile is not missed. */
async function stillNamed(client: pg.Client, missing: readonly Artifact[]): Promise<string[]> {
  const ids = missing.map(({ id }) => id);
  const { rows } = await client.query<{ id: number }>('select id from ci_job_artifacts where id = any($1)', [
    ids,
  ]);
  const left = new Set(rows.map(({ id }) => id));
  return missing.filter(({ id }) => left.has(id)).map(({ label }) => label);
}
