import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '#kernel/config/config.js';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { hasSecretsKey } from '#kernel/crypto/secrets-key.js';
import { knownFingerprints, secretsKeyProblem, unopenable } from '#core/first-start/secrets-key-check.js';
import { listed, problemOf, type Finding } from './finding.js';

const KNOWN = 'SECRETS_KEY is the one that the database knows';
const OPENS = 'sealed secrets of each kind open with SECRETS_KEY';

/**
 * Checks that the service starts with the present key, even if nothing is sealed yet, and that it opens what is.
 * Does not create the key that the first start would create.
 */
export async function checkSecrets(client: pg.Client, config: Config): Promise<Finding[]> {
  if (!hasSecretsKey(config))
    return [
      { check: KNOWN, problem: await missingKey(client, config) },
      { check: OPENS, problem: null },
    ];
  let unknown: string | null = null;
  let kinds: string[] = [];
  const problem = await problemOf(async () => {
    const box = new SecretBox(config);
    unknown = await secretsKeyProblem(client, config, box);
    kinds = await unopenable(client, box);
  });
  return [
    { check: KNOWN, problem: problem ?? unknown },
    { check: OPENS, problem: problem ?? listed(kinds) },
  ];
}

/** The next start would create another key, and then refuse it. */
async function missingKey(client: pg.Client, { DATA_DIR: data }: Config): Promise<string | null> {
  if ((await knownFingerprints(client)).length === 0) return null;
  return `${join(data, 'secrets.key')} is missing, and SECRETS_KEY is not set: restore the key that the service has used`;
}
