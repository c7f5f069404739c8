import type { Tx } from '#kernel/database/transactions.js';
import { environmentType } from '#core/environments/naming/environment-name.js';
import { environmentSlug } from '#core/environments/naming/environment-slug.js';
import { guessTier } from '#core/environments/naming/environment-tier.js';
import type { History, PastDeployment, PastEnvironment } from './history.js';
import { DEMO_DOMAIN } from './world.js';

/** Rows per statement. */
const BATCH = 2_000;

const CLAIM = `insert into internal_ids (project_id, usage, last_value, live_count) values ($1, 'deployments', $2, $2)
  on conflict do nothing returning 1`;

const INSERT_ENVIRONMENTS = `insert into environments
    (project_id, name, slug, environment_type, tier, state, external_url, created_at, updated_at)
  select $1, e.* from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
    $8::timestamptz[], $9::timestamptz[]) e returning id, name`;

const INSERT_DEPLOYMENTS = `insert into deployments
    (project_id, iid, environment_id, user_id, ref, tag, sha, status, created_at, finished_at, updated_at)
  select $1, d.* from unnest($2::bigint[], $3::bigint[], $4::bigint[], $5::text[], $6::boolean[], $7::text[], $8::text[],
    $9::timestamptz[], $10::timestamptz[], $11::timestamptz[]) d(iid) order by d.iid`;

const DATE_PROJECT = `update projects set created_at = $2::timestamptz, last_activity_at = greatest($2::timestamptz, $3::timestamptz) where id = $1`;

/** Stores the history of a project; returns false if it already has deployments. */
export async function storeHistory(
  tx: Tx,
  project: { readonly id: number; readonly path: string; readonly createdAt: Date },
  history: History,
  userIds: ReadonlyMap<string, number>,
): Promise<boolean> {
  const { deployments, environments } = history;
  // The counter's row is the claim: the process that inserts it first owns the numbers from 1.
  const claimed = await tx.query<unknown[]>(CLAIM, [project.id, deployments.length]);
  if (claimed.length === 0) return false;
  const environmentIds = await insertEnvironments(tx, project, environments);
  for (let start = 0; start < deployments.length; start += BATCH) {
    const rows = deployments.slice(start, start + BATCH);
    await insertDeployments(tx, project.id, rows, start, environmentIds, userIds);
  }
  await tx.query(DATE_PROJECT, [project.id, project.createdAt, lastTime(deployments.at(-1))]);
  return true;
}

async function insertEnvironments(
  tx: Tx,
  project: { readonly id: number; readonly path: string },
  rows: readonly PastEnvironment[],
): Promise<ReadonlyMap<string, number>> {
  const created = await tx.query<{ id: number; name: string }[]>(INSERT_ENVIRONMENTS, [
    project.id,
    rows.map(({ name }) => name),
    rows.map(({ name }) => environmentSlug(name)),
    rows.map(({ name }) => environmentType(name)),
    rows.map(({ name }) => guessTier(name)),
    rows.map(({ stoppedAt }) => (stoppedAt ? 'stopped' : 'available')),
    rows.map(({ name }) => addressOf(project.path, name)),
    rows.map(({ createdAt }) => createdAt),
    rows.map(({ createdAt, stoppedAt }) => stoppedAt ?? createdAt),
  ]);
  return new Map(created.map(({ id, name }) => [name, id]));
}

async function insertDeployments(
  tx: Tx,
  projectId: number,
  rows: readonly PastDeployment[],
  before: number,
  environmentIds: ReadonlyMap<string, number>,
  userIds: ReadonlyMap<string, number>,
): Promise<void> {
  await tx.query(INSERT_DEPLOYMENTS, [
    projectId,
    rows.map((_, index) => before + index + 1),
    rows.map(({ environment }) => environmentIds.get(environment)),
    rows.map(({ deployer }) => userIds.get(deployer) ?? null),
    rows.map(({ ref }) => ref),
    rows.map(({ tag }) => tag),
    rows.map(({ sha }) => sha),
    rows.map(({ status }) => status),
    rows.map(({ createdAt }) => createdAt),
    rows.map(({ finishedAt }) => finishedAt),
    rows.map(lastTime),
  ]);
}

const lastTime = (row: PastDeployment | undefined): Date | null => row?.finishedAt ?? row?.createdAt ?? null;

/** External URL of an environment. */
function addressOf(path: string, name: string): string {
  const host = name === 'production' ? path : `${environmentSlug(name)}.${path}`;
  return `https://${host}.${DEMO_DOMAIN}`;
}
