import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { TwoFactorChangesService } from '#core/two-factor/two-factor-changes.service.js';
import { withServices } from './framework/context.js';
import { CommandError, type CommandResult } from './framework/output.js';

const FIND_USER = `select id, username from users where lower(username) = lower($1) and not pending_delete`;

/** Removes the second factor of a user, for an administrator whom no other administrator can help. */
export async function disableTwoFactor({ username }: { readonly username: string }): Promise<CommandResult> {
  return withServices(async ({ app }) => {
    const user = await app.get(ReadDatabase).one<{ id: number; username: string }>(FIND_USER, [username]);
    if (!user) throw new CommandError(`There is no user ${username}`);
    const changes = app.get(TwoFactorChangesService, { strict: false });
    if (!(await changes.disable(null, user.id)))
      throw new CommandError(`${user.username} has no two-factor authentication`);
    return {
      json: { id: user.id, username: user.username, two_factor_enabled: false },
      lines: [`Two-factor authentication of ${user.username} is off`],
    };
  });
}
