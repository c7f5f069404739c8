import { existsSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { unfinishedCopyOn } from '#kernel/database/copy/unfinished-copy.js';
import { loadMigrations } from '#kernel/database/migrations.js';
import { isOfLaterRelease, tooNewSchema, type Ask } from '#kernel/database/schema/releases.js';
import { productSessions } from '#kernel/database/sessions/product-sessions.js';
import { utcUrl } from '#kernel/database/utc-url.js';
import { withClient } from '#kernel/database/with-client.js';
import { withDatabase, type CommandDatabase } from '../framework/database.js';
import { consistencyChecks, flowChecks, type ConsistencyCheck } from './doctor-checks.js';
import { missingObjects } from '../doctor-objects.js';
import { checkSecrets } from './doctor-secrets.js';
import { causeOf } from '#kernel/config/start-problem.js';
import { foundInTime, listed, problemOf, SHOWN, type Finding } from './finding.js';
import { foreignRoots, missingRepositories } from '../storage-check/check-newest.js';

const REACHED = 'the database can be reached';
/** Kinds of objects that are looked for, with their tables. */
const OBJECTS = [
  ['artifacts', 'ci_job_artifacts'],
  ['files of packages', 'package_files'],
  ['images of alerts', 'alert_metric_images'],
  ['avatars', 'avatars'],
] as const;
/** An arbitrary number, the same for all repairs. */
const MEND_LOCK = 746_274_009;

/**
 * Checks the database, in a read-only session unless it should repair. Does not create a missing database.
 */
export async function checkDatabase(config: Config, mends: boolean): Promise<Finding[]> {
  const folder = join(config.DATA_DIR, 'postgres');
  if (config.DATABASE_URL === undefined && !existsSync(folder))
    return [{ check: REACHED, problem: `there is none in ${folder} yet: start the service once` }];
  let findings: Finding[] = [];
  const problem = await problemOf(() =>
    withDatabase(config, async (database) => {
      findings = await inspect(database, config, mends);
    }),
  );
  return [{ check: REACHED, problem }, ...findings];
}

function inspect({ url }: CommandDatabase, config: Config, mends: boolean): Promise<Finding[]> {
  const options = {
    connectionString: utcUrl(url, `-c default_transaction_read_only=${mends ? 'off' : 'on'}`),
    application_name: 'forgeplane-doctor',
    statement_timeout: 120_000,
    connectionTimeoutMillis: 10_000,
  };
  return withClient(options, async (client) => {
    const check = 'what was restored is complete';
    const whole = { check, problem: await unfinishedCopyOn(client) };
    if (whole.problem !== null) return [whole];
    const schema = await checkSchema(client);
    // The rules of this release do not apply to the tables of another one.
    if (schema.problem !== null) return [schema];
    const findings = [whole, schema];
    const isServed = (await productSessions(client)).length > 0;
    for (const rule of isServed ? [...consistencyChecks, ...flowChecks] : consistencyChecks)
      findings.push(await (mends ? mendRule(client, rule) : checkRule(client, rule)));
    const outside = async (check: string, find: () => Promise<readonly string[]>): Promise<void> => {
      findings.push({ check, problem: await foundInTime(find) });
    };
    await outside('the storages match the database', () => foreignRoots(client, config));
    await outside('repositories lie where the database says', () => missingRepositories(client, config));
    for (const [what, table] of OBJECTS)
      await outside(`the newest ${what} are in the object storage`, () =>
        missingObjects(client, config, table),
      );
    findings.push(...(await checkSecrets(client, config)));
    return findings;
  });
}

async function checkRule(client: pg.Client, { check, sql, mend }: ConsistencyCheck): Promise<Finding> {
  return alone(check, async () => {
    const { rows } = await client.query<{ what: string }>(
      `select what from (${sql}) found limit ${SHOWN + 1}`,
    );
    const problem = listed(rows.map((row) => row.what));
    return problem === null || mend === undefined ? { check, problem } : { check, problem, mendable: true };
  });
}

/**
 * Repairs the violations of a rule if possible, and checks again. The lock is taken first, so that no other
 * repair changes what is found. What could not be checked is not changed.
 */
async function mendRule(client: pg.Client, rule: ConsistencyCheck): Promise<Finding> {
  const before = await checkRule(client, rule);
  const { mend } = rule;
  if (before.mendable !== true || mend === undefined) return before;
  return alone(rule.check, async () => {
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [MEND_LOCK]);
      for (const statement of mend) await client.query(statement);
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    }
    const { check, problem } = await checkRule(client, rule);
    // What is still found was not repaired, or was broken again.
    return problem === null ? { check, problem, mended: before.problem } : { check, problem };
  });
}

/** A damaged or locked table, or one too large for the time of a statement, must not hide the other findings. */
async function alone(check: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof pg.DatabaseError) || error.severity !== 'ERROR') throw error;
    return { check, problem: `cannot be checked: ${causeOf(error)}` };
  }
}

async function checkSchema(client: pg.Client): Promise<Finding> {
  const check = 'the schema is that of this release';
  const known = (await loadMigrations()).map((migration) => migration.name);
  const { rows: found } = await client.query(`select to_regclass('schema_migrations') as name`);
  const isThere = (found[0] as { name: string | null }).name !== null;
  const { rows } = isThere
    ? await client.query<{ name: string }>('select name from schema_migrations')
    : { rows: [] };
  const applied = new Set(rows.map((row) => row.name));
  const pending = known.filter((name) => !applied.has(name));
  const strange = [...applied].filter((name) => !known.includes(name));
  const ask: Ask = async <Row extends object>(text: string, values?: unknown[]) =>
    (await client.query<Row>(text, values)).rows;
  const tooNew = isThere ? await tooNewSchema(ask) : null;
  const problems = [
    ...(pending.length > 0 ? [`pending: ${pending.join(', ')} (run migrate)`] : []),
    ...(tooNew === null ? [] : [tooNew]),
  ];
  // After going back, the schema is that of a release whose notes say whether this one runs on it.
  if (strange.length > 0 && problems.length === 0) {
    if (await isOfLaterRelease(ask))
      return { check: 'the schema is of a later release, on which this one runs', problem: null };
    problems.push(`unknown, of a later release: ${strange.join(', ')}`);
  }
  return { check, problem: problems.length > 0 ? problems.join('; ') : null };
}
