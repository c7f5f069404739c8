import type { INestApplicationContext } from '@nestjs/common';
import type { UserCaller, Actor } from '#kernel/access/caller.js';
import { Role, type Tier } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { CreateUser } from '#core/users/changes/create-user.use-case.js';
import { CommandError } from '../framework/output.js';
import { DEMO_DOMAIN, people, type Person } from './world.js';

/** Users of the demo data by username. */
export interface Cast {
  readonly actors: ReadonlyMap<string, Actor>;
  readonly ids: ReadonlyMap<string, number>;
  readonly created: number;
}

const FIND = `select id, username, email, name, state, external, user_type as "userType" from users where lower(username) = lower($1)`;

const DATE_USER = `with dated as (update users set created_at = $2 where id = $1)
  update namespaces set created_at = $2 where owner_id = $1`;

type Found = Omit<Actor, 'admin'> & { readonly email: string };

/** Finds or creates all people; new ones get the given password. */
export async function ensurePeople(
  app: INestApplicationContext,
  password: string,
  since: Date,
): Promise<Cast> {
  const actors = new Map<string, Actor>();
  let created = 0;
  for (const person of people) {
    let found = await find(app, person);
    if (!found) {
      await create(app, person, password, since);
      found = await find(app, person);
      created += 1;
    }
    // Acts for the operator: restrictions of the instance do not apply.
    if (found) actors.set(person.username, { ...found, admin: true });
  }
  return { actors, ids: new Map([...actors].map(([name, { id }]) => [name, id])), created };
}

/** @throws CommandError if the name belongs to another user */
async function find(app: INestApplicationContext, person: Person): Promise<Found | null> {
  const found = await app.get(ReadDatabase).one<Found>(FIND, [person.username]);
  if (found && found.email !== addressOf(person))
    throw new CommandError(`There is already another user ${person.username}: the demo needs that name`);
  return found;
}

async function create(
  app: INestApplicationContext,
  person: Person,
  password: string,
  since: Date,
): Promise<void> {
  const { username, name, jobTitle, external = false } = person;
  const user = await app.get(CreateUser, { strict: false }).run(null, {
    username,
    name,
    email: addressOf(person),
    password,
    external,
    job_title: jobTitle,
    organization: 'Orchard',
  });
  await app.get(Transactions).run((tx) => tx.query(DATE_USER, [user.id, since]));
}

const addressOf = ({ username }: Person): string => `${username}@${DEMO_DOMAIN}`;

/** Returns a user of the demo data. @throws Error if there is none with that name */
export function actorNamed({ actors }: Cast, username: string): Actor {
  const actor = actors.get(username);
  if (!actor) throw new Error(`The demo has no user ${username}`);
  return actor;
}

/** Converts a user to the caller that services expect. */
export const callerOf = (actor: Actor, tier: Tier): UserCaller => ({
  actor,
  owner: actor,
  credential: null,
  sudo: null,
  tier,
  subject: null,
  role: Role.Admin,
});
