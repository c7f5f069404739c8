import { live } from '#kernel/database/time.sql.js';
import { Injectable } from '@nestjs/common';
import { runDeferred, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';
import { mentionedNames } from './mentioned-names.js';
import type { NoteableType } from '../noteables/noteable.js';
import { seesInternalSql } from '#core/users/person.sql.js';

/** Container in which users are mentioned. */
export interface MentionContainer {
  readonly projectId: number | null;
  readonly groupId: number | null;
  /**
   * The author, who cannot mention the members of a group that they cannot see. `admin`: whether they act as
   * an administrator; null for jobs.
   */
  readonly author: { readonly id: number; readonly admin: boolean | null };
}

/** The noteable with the mention in its description, or in a note on it. */
export interface MentionTarget {
  readonly type: Exclude<NoteableType, 'Commit'>;
  readonly id: number;
}

/** A mentioned user. */
export interface MentionedUser {
  readonly id: number;
  /**
   * The mentioned group, whose members may be hidden from some readers. Null if mentioned by the own name or
   * by `@all`.
   */
  readonly viaGroupId: number | null;
}

/** Limit of users that a text mentions by group names. */
const MAX_USERS = 10_000;

const ACTIVE = `u.state = 'active' and not u.pending_delete and u.user_type <> 'ghost'`;

/** SQL condition: the group `g`, or one above it, disables mentions of groups. */
const UNMENTIONED = `exists (select 1 from namespaces up where up.id = any(g.traversal_ids) and up.settings -> 'mentions_disabled' = 'true')`;

/**
 * Users with these names, and direct members of groups with these paths that the author can see, with the
 * names and groups; values: names in lower case, the author, whether the author acts as an administrator
 * (null: unknown).
 */
export const NAMED_BY = `select lower(u.username) as name, u.id, null::bigint as via from users u where lower(u.username) = any($1::text[]) and ${ACTIVE}
  union
  (select r.path, u.id, g.id from routes r join namespaces g on r.source_type = 'Namespace' and g.id = r.source_id and g.type = 'Group' and not g.pending_delete
    join users a on a.id = $2
    join members m on m.source_type = 'Namespace' and m.source_id = g.id and ${live('m')}
    join users u on u.id = m.user_id and ${ACTIVE}
    where r.path = any($1::text[]) and not r.redirect and not ${UNMENTIONED}
      and (g.visibility = 'public' or (g.visibility = 'internal' and ${seesInternalSql('a')}) or ${actsAsAdminSql('$3', 'a')} or ${groupRoleSql('a.id', 'g')} > 0)
    order by u.id limit ${MAX_USERS})`;

/**
 * Members of a project or group, including those of the groups above; values: the id of the project or null,
 * that of the group or null.
 */
export const EVERYBODY = `with container as (
    select n.traversal_ids, n.owner_id from projects p join namespaces n on n.id = p.namespace_id where p.id = $1
    union all select n.traversal_ids, null from namespaces n where n.id = $2),
  everybody as (select owner_id as id from container
    union select m.user_id from container join members m on m.source_type = 'Namespace' and m.source_id = any(container.traversal_ids) and ${live('m')}
    union select m.user_id from members m where m.source_type = 'Project' and m.source_id = $1 and ${live('m')})
  select u.id from everybody e join users u on u.id = e.id where ${ACTIVE} order by u.id limit ${MAX_USERS}`;

/** Removes users who are no longer mentioned; updates by which name the others are. */
const FORGET = `with renamed as (update mentions m set via_group_id = x.via from unnest($4::bigint[], $5::bigint[]) x(id, via)
    where m.target_type = $1 and m.target_id = $2 and m.note_id is not distinct from $3::bigint and m.user_id = x.id
      and m.via_group_id is distinct from x.via)
  delete from mentions where target_type = $1 and target_id = $2 and note_id is not distinct from $3::bigint
  and user_id <> all($4::bigint[])`;

const RECORD = `insert into mentions (target_type, target_id, note_id, user_id, via_group_id)
  select $1, $2, $3::bigint, id, via from unnest($4::bigint[], $5::bigint[]) x(id, via) order by id on conflict do nothing returning user_id`;

/** A user found by `NAMED_BY`: by the own name, or by a group. */
export interface NamedUser {
  readonly id: number;
  readonly via: number | null;
}

/** Removes duplicates, in the order of ids: a mention by the own name wins over one by a group. */
export function mentionedOnce(named: readonly NamedUser[]): MentionedUser[] {
  const found = new Map<number, number | null>();
  for (const { id, via } of named) {
    const known = found.get(id);
    if (known === undefined || via === null || (known !== null && via < known)) found.set(id, via);
  }
  return [...found].map(([id, viaGroupId]) => ({ id, viaGroupId })).sort((one, other) => one.id - other.id);
}

/** Manages mentions: `@name`, `@group/sub` for its members, `@all` for those of the project or group. */
@Injectable()
export class MentionsService {
  /**
   * Returns the users that a text mentions, whether they can read it or not: notifications check
   * `readersAmong` of `NoteableRegistry`, lists `readableBy`.
   */
  async mentionedUsers(tx: Tx, text: string | null, container: MentionContainer): Promise<MentionedUser[]> {
    return (await this.askFor(tx, text, container))();
  }

  /**
   * Does the same in one round trip with the next statement of `tx`; the returned function gives the result.
   */
  async askFor(
    tx: Tx,
    text: string | null,
    container: MentionContainer,
  ): Promise<() => Promise<MentionedUser[]>> {
    const { names, all } = mentionedNames(text ?? '');
    const { id: authorId, admin } = container.author;
    const named =
      names.size > 0 ? await runWithNext<NamedUser>(tx, NAMED_BY, [[...names], authorId, admin]) : nobody;
    const everybody = all
      ? await runWithNext<{ id: number }>(tx, EVERYBODY, [container.projectId, container.groupId])
      : nobody;
    return async () => {
      const members = (await everybody()).map(({ id }) => ({ id, via: null }));
      return mentionedOnce([...(await named()), ...members]);
    };
  }

  /**
   * Stores the users that the description of a noteable (`noteId` null) or a note on it mentions, and returns
   * the new ones. Call it under the lock of the noteable.
   */
  async record(
    tx: Tx,
    { type, id }: MentionTarget,
    noteId: number | null,
    users: readonly MentionedUser[],
  ): Promise<number[]> {
    await runDeferred(tx, FORGET, valuesOf({ type, id }, noteId, users));
    const rows = await tx.query<{ user_id: number }[]>(RECORD, valuesOf({ type, id }, noteId, users));
    return rows.map((row) => row.user_id);
  }

  /**
   * Does the same for a noteable or note created in the transaction, which has no mentions yet; in one round
   * trip with the next statement of `tx`.
   */
  async recordNew(
    tx: Tx,
    target: MentionTarget,
    noteId: number | null,
    users: readonly MentionedUser[],
  ): Promise<number[]> {
    if (users.length > 0) await runDeferred(tx, RECORD, valuesOf(target, noteId, users));
    return users.map((user) => user.id);
  }
}

const nobody = (): Promise<never[]> => Promise.resolve([]);

const valuesOf = (
  { type, id }: MentionTarget,
  noteId: number | null,
  users: readonly MentionedUser[],
): unknown[] => [type, id, noteId, users.map((user) => user.id), users.map((user) => user.viaGroupId)];
