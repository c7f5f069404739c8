import { acceptLoss, checkSecretsKey, resealAll } from '#core/first-start/secrets-key-check.js';
import { commandConfig } from './framework/context.js';
import { withDatabase } from './framework/database.js';
import type { CommandResult } from './framework/output.js';

/**
 * Re-encrypts with the first key of SECRETS_KEY what was encrypted with the others, which can then be
 * removed.
 */
export async function resealSecrets(): Promise<CommandResult> {
  const config = commandConfig();
  return withDatabase(config, async ({ url }) => {
    await checkSecretsKey(config, url, { isGuest: true });
    const resealed = await resealAll(config, url);
    const lines = Object.entries(resealed).map(([kind, count]) => `${count} ${kind}`);
    return { json: { resealed }, lines: lines.length > 0 ? lines : ['Nothing is sealed with an older key.'] };
  });
}

/** Lets the service start with the present key although some secrets were encrypted with a lost one. */
export async function acceptLostSecrets(): Promise<CommandResult> {
  const config = commandConfig();
  return withDatabase(config, async ({ url }) => {
    await acceptLoss(config, url);
    return {
      json: { accepted: true },
      lines: [
        'The service will start with the current key. `doctor` lists what it cannot open: set those values again.',
      ],
    };
  });
}
