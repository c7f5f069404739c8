import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { unfinishedCopyOn } from '#kernel/database/copy/unfinished-copy.js';
import { withClient } from '#kernel/database/with-client.js';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { sealedKinds, type SealedKind } from './sealed-kinds.js';

/** Arbitrary number of an advisory lock other than those of the migrations and the first data. */
const SECRETS_KEY_LOCK = 746_274_003;

/** Number of values per kind to open, if nothing else shows whether the key is correct. */
const SAMPLES = 5;

interface Sealed {
  readonly id: string;
  readonly sealed: string;
  readonly purpose: string;
}

/**
 * Checks that the keys of this process can open the secrets in the database, and records these keys. In a
 * database without recorded keys (a new one, or one of an earlier release) some values are opened. Processes
 * that start together are serialized. A process that is not the service (`isGuest`) records nothing, since it
 * may have a generated key.
 * @throws StartProblem with instructions if they do not match
 */
export async function checkSecretsKey(config: Config, url: string, { isGuest = false } = {}): Promise<void> {
  const box = new SecretBox(config);
  await inTransaction(url, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [SECRETS_KEY_LOCK]);
    const problem = await secretsKeyProblem(client, config, box);
    if (problem !== null) throw new StartProblem(problem);
    if (!isGuest) await remember(client, box);
  });
}

/** Returns why the service does not start with these keys, and what to do; null if it does. */
export async function secretsKeyProblem(
  client: pg.Client,
  config: Config,
  box: SecretBox,
): Promise<string | null> {
  const source = config.SECRETS_KEY === undefined ? `${config.DATA_DIR}/secrets.key` : 'SECRETS_KEY';
  const known = await knownFingerprints(client);
  const left = known.filter((fingerprint) => !box.fingerprints.includes(fingerprint));
  if (known.length === 0 ? await opensNothing(client, box) : left.length === known.length)
    return (
      `${source} does not contain the key that the secrets in the database are sealed with: restore the former key; to change it, list both as \`SECRETS_KEY=new,old\`. ` +
      'If the key is lost for good, `npm run cli -- secrets accept-loss` lets the service start without the secrets that it sealed.'
    );
  const stuck = left.length === 0 ? [] : await unopenable(client, box);
  if (stuck.length === 0) return null;
  return (
    `${source} lacks a former key that is still needed (${stuck.join(', ')}): list it again as \`SECRETS_KEY=new,old\`, run \`npm run cli -- secrets reseal\`, ` +
    'then remove it.'
  );
}

/** Returns the fingerprints of the keys that the service has used with this database. */
export async function knownFingerprints(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from secrets_keys');
  return rows.map(({ fingerprint }) => fingerprint);
}

/** Records the present keys, even if secrets sealed with others are lost. */
export async function acceptLoss(config: Config, url: string): Promise<void> {
  await inTransaction(url, (client) => remember(client, new SecretBox(config)));
}

/**
 * Seals values again that were sealed with an older key of the list; returns their number by kind.
 * Idempotent, and safe while the service runs.
 */
export async function resealAll(config: Config, url: string): Promise<Readonly<Record<string, number>>> {
  const box = new SecretBox(config);
  const done: Record<string, number> = {};
  for (const { kind, rows, replace } of sealedKinds)
    await inTransaction(url, async (client) => {
      const found = await client.query<Sealed>(`select * from (${rows}) s where left(sealed, 6) <> $1`, [
        box.prefixes[0],
      ]);
      for (const { id, sealed, purpose } of found.rows) {
        const text = tryOpen(box, { id, sealed, purpose });
        if (text === null) continue;
        const { rowCount } = await client.query(replace, [id, box.seal(text, purpose), sealed]);
        done[kind] = (done[kind] ?? 0) + (rowCount ?? 0);
      }
    });
  return done;
}

/**
 * Returns the kinds with values sealed with a missing key, or that cannot be opened although the key exists.
 */
export async function unopenable(client: pg.Client, box: SecretBox): Promise<string[]> {
  const kinds: string[] = [];
  for (const kind of sealedKinds) {
    const strange = await client.query(
      `select 1 from (${kind.rows}) s where left(sealed, 6) <> all($1) limit 1`,
      [box.prefixes],
    );
    const samples = await samplesOf(client, kind);
    if (strange.rowCount !== 0 || samples.some((sample) => tryOpen(box, sample) === null))
      kinds.push(kind.kind);
  }
  return kinds;
}

/** Returns whether there are secrets of which none can be opened. */
async function opensNothing(client: pg.Client, box: SecretBox): Promise<boolean> {
  let isAny = false;
  for (const kind of sealedKinds)
    for (const sample of await samplesOf(client, kind)) {
      if (tryOpen(box, sample) !== null) return false;
      isAny = true;
    }
  return isAny;
}

async function samplesOf(client: pg.Client, { rows }: SealedKind): Promise<Sealed[]> {
  return (await client.query<Sealed>(`select * from (${rows}) s limit ${SAMPLES}`)).rows;
}

function tryOpen(box: SecretBox, { sealed, purpose }: Sealed): string | null {
  try {
    return box.open(sealed, purpose);
  } catch (error) {
    if (error instanceof SecretUnreadable) return null;
    throw error;
  }
}

async function remember(client: pg.Client, box: SecretBox): Promise<void> {
  await client.query('delete from secrets_keys where fingerprint <> all($1)', [box.fingerprints]);
  await client.query(
    'insert into secrets_keys (fingerprint) select unnest($1::text[]) on conflict do nothing',
    [box.fingerprints],
  );
}

function inTransaction(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  return withClient({ connectionString: url, application_name: 'forgeplane-secrets' }, async (client) => {
    const unfinished = await unfinishedCopyOn(client);
    if (unfinished !== null) throw new StartProblem(unfinished);
    await client.query('begin');
    await work(client);
    await client.query('commit');
  });
}
