import { SigningKeysService } from '#features/oauth/openid/keys/signing-keys.service.js';
import { withServices } from './framework/context.js';
import type { CommandResult } from './framework/output.js';

/** Rotates the key that signs id_tokens; running processes pick it up within a minute. */
export async function rotateKeys(): Promise<CommandResult> {
  return withServices(async ({ app }) => {
    const keys = app.get(SigningKeysService, { strict: false });
    const { kid } = await keys.rotate();
    await keys.prune();
    return { json: { kid }, lines: [kid] };
  });
}
