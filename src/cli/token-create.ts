import type { Scope } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { isExpired } from '#core/tokens/expiry/token-dates.js';
import { TokensService } from '#core/tokens/tokens.service.js';
import { withServices } from './framework/context.js';
import { CommandError, type CommandResult } from './framework/output.js';

interface Options {
  readonly user: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt?: string;
}

const FIND_USER = `select id from users where lower(username) = lower($1) and not pending_delete`;

/** Creates a personal access token for a user. The secret is in the output and stored nowhere else. */
export async function createToken({ user, name, scopes, expiresAt }: Options): Promise<CommandResult> {
  // A token expires at the start of its day, and would be of no use from the beginning.
  if (expiresAt !== undefined && isExpired(expiresAt))
    throw new CommandError('--expires-at must be a date in the future');
  return withServices(
    async ({ app }) => {
      const found = await app.get(ReadDatabase).one<{ id: number }>(FIND_USER, [user]);
      if (!found) throw new CommandError(`There is no user ${user}`);
      const tokens = app.get(TokensService, { strict: false });
      const { row, token } = await app
        .get(Transactions)
        .run((tx) => tokens.create(tx, { userId: found.id, name, scopes, expiresAt: expiresAt ?? null }));
      return {
        json: { id: row.id, user, name: row.name, scopes: row.scopes, expires_at: row.expiresAt, token },
        lines: [token],
      };
    },
    { creates: true },
  );
}
