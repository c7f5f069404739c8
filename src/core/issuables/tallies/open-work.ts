import type { Actor } from '#kernel/access/caller.js';
import type { Role } from '#kernel/access/roles.js';
import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { numbered } from '#core/notes/note-origins.service.js';
import { readableProjects } from '#core/projects/lists/readable-projects.js';
import type { IssuableKind, PeopleTable } from '../issuable-kind.js';

/** Open issuables that concern a user: their kind, the link to the user, and who reads them. */
export interface Work {
  readonly kind: IssuableKind;
  readonly link: PeopleTable;
  readonly part: 'issues' | 'merge_requests';
  /** Role required to read them in private projects. */
  readonly least: Role;
}

/** Counts a user's open work as its lists do: what a former member can no longer read does not count. */
export async function countOpenWork(
  database: ReadDatabase,
  actor: Actor,
  { kind: { table }, link, part, least }: Work,
): Promise<number> {
  const own = [actor.id];
  const { sql, values } = numbered(readableProjects(actor, part, least), own.length);
  const text = `select count(*)::int as total from ${link.table} x join ${table} t on t.id = x.${link.key} and t.state = 'opened'
    join projects p on p.id = t.project_id and not p.archived where x.user_id = $1 and ${sql}`;
  return (await database.always<{ total: number }>(text, [...own, ...values])).total;
}
