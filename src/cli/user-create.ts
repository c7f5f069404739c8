import { bind } from '#kernel/http/fields/binder.js';
import { invalid, missingAttribute } from '#kernel/http/errors.js';
import { randomToken } from '#kernel/crypto/tokens.js';
import { CreateUser } from '#core/users/changes/create-user.use-case.js';
import { NewUserParams } from '#core/users/changes/users.params.js';
import { withServices } from './framework/context.js';
import type { CommandResult } from './framework/output.js';

interface Options {
  readonly username: string;
  readonly email: string;
  readonly name?: string;
  readonly password?: string;
  readonly admin?: true;
}

const PASSWORD_LENGTH = 24;

/**
 * Creates a user as an administrator would. A generated password is in the output and stored nowhere else.
 */
export async function createUser(options: Options): Promise<CommandResult> {
  const { username, email, name = username, admin = false } = options;
  const password = options.password ?? randomToken('', PASSWORD_LENGTH);
  const attributes = attributesOf({ username, email, name, admin, password });
  return withServices(
    async ({ app }) => {
      const user = await app.get(CreateUser, { strict: false }).run(null, attributes);
      const isGenerated = options.password === undefined;
      return {
        json: {
          id: user.id,
          username: user.username,
          name: user.name,
          email: user.email,
          admin: user.admin,
          ...(isGenerated ? { password } : {}),
        },
        lines: [
          `Created ${user.admin ? 'administrator' : 'user'} ${user.username} (id ${user.id})`,
          ...(isGenerated ? [`Password: ${password}`] : []),
        ],
      };
    },
    { creates: true },
  );
}

/** Validates with the rules of the API route. */
function attributesOf(given: Readonly<Record<string, unknown>>): NewUserParams {
  const bound = bind(NewUserParams, [given]);
  if (bound.ok) return bound.value;
  const [missing] = bound.missing;
  throw missing === undefined ? invalid(bound.problems) : missingAttribute(missing);
}
