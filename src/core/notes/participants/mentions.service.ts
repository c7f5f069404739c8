import { live } from '#kernel/database/time.sql.js';
import { Injectable } from '@nestjs/common';
import { runDeferred, runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import { groupRoleSql } from '#core/members/sql/role.sql.js';
import { actsAsAdminSql } from '#core/users/admin.sql.js';
import { mentionedNames } from './mentioned-names.js';
import type { NoteableType } from '../noteables/noteable.js';

/** Where somebody mentions others. */
export interface MentionPlace {
  readonly projectId: number | null;
  readonly groupId: number | null;
  /** Who writes: they cannot call the members of a group that they do not see. `admin`: whether they act as administrators, null for jobs. */
  readonly author: { readonly id: number; readonly admin: boolean | null };
}

/** The thing in whose description, or in a note on which, people are mentioned. */
export interface MentionTarget {
  readonly type: Exclude<NoteableType, 'Commit'>;
  readonly id: number;
}

/** Somebody whom a text mentions. */
export interface MentionedUser {
  readonly id: number;
  /** The group by whose name: who is in it is not for all to know. Null for their own name, or as one of everybody there. */
  readonly viaGroupId: number | null;
}

/** The most that one text calls by the names of groups. */
const MAX_USERS = 10_000;

const ACTIVE = `u.state = 'active' and not u.pending_delete and u.user_type <> 'ghost'`;

/** The group `g`, or one above it, wants nobody called by its name. */
const UNMENTIONED = `exists (select 1 from namespaces up where up.id = any(g.traversal_ids) and up.settings -> 'mentions_disabled' = 'true')`;

/**
 * Users of these names, and direct members of groups of these paths that the author sees, with the names and those groups; values: names in small letters, the author, whether
 * they act as an administrator (null: nobody knows). */
export const NAMED_BY = `select lower(u.username) as name, u.id, null::bigint as via from users u where lower(u.username) = any($1::text[]) and ${ACTIVE}
  union
  (select r.path, u.id, g.id from routes r join namespaces g on r.source_type = 'Namespace' and g.id = r.source_id and g.type = 'Group' and not g.pending_delete
    join users a on a.id = $2
    join members m on m.source_type = 'Namespace' and m.source_id = g.id and ${live('m')}
    join users u on u.id = m.user_id and ${ACTIVE}
    where r.path = any($1::text[]) and not r.redirect and not ${UNMENTIONED}
      and (g.visibility = 'public' or (g.visibility = 'internal' and not a.external) or ${actsAsAdminSql('$3', 'a')} or ${groupRoleSql('a.id', 'g')} > 0)
    order by u.id limit ${MAX_USERS})`;

/** Members of a project or group, those of the groups above included; values: the id of the project or null, that of the group or null. */
export const EVERYBODY = `select distinct u.id from (
    select n.traversal_ids, n.owner_id from projects p join namespaces n on n.id = p.namespace_id where p.id = $1
    union all select n.traversal_ids, null from namespaces n where n.id = $2) place
  join users u on u.id = place.owner_id or u.id in (select m.user_id from members m where ${live('m')}
    and ((m.source_type = 'Namespace' and m.source_id = any(place.traversal_ids)) or (m.source_type = 'Project' and m.source_id = $1)))
  where ${ACTIVE} order by u.id limit ${MAX_USERS}`;

/** Forgets who is mentioned no more; the others are so by what names them now. */
const FORGET = `with renamed as (update mentions m set via_group_id = x.via from unnest($4::bigint[], $5::bigint[]) x(id, via)
    where m.target_type = $1 and m.target_id = $2 and m.note_id is not distinct from $3::bigint and m.user_id = x.id
      and m.via_group_id is distinct from x.via)
  delete from mentions where target_type = $1 and target_id = $2 and note_id is not distinct from $3::bigint
  and user_id <> all($4::bigint[])`;

const RECORD = `insert into mentions (target_type, target_id, note_id, user_id, via_group_id)
  select $1, $2, $3::bigint, id, via from unnest($4::bigint[], $5::bigint[]) x(id, via) order by id on conflict do nothing returning user_id`;

/** Somebody as `NAMED_BY` finds them: by their own name, or that of a group. */
export interface NamedUser {
  readonly id: number;
  readonly via: number | null;
}

/** Each of them once, in the order of their ids: who is named themselves is not in it by a group alone. */
export function mentionedOnce(named: readonly NamedUser[]): MentionedUser[] {
  const found = new Map<number, number | null>();
  for (const { id, via } of named) {
    const known = found.get(id);
    if (known === undefined || via === null || (known !== null && via < known)) found.set(id, via);
  }
  return [...found].map(([id, viaGroupId]) => ({ id, viaGroupId })).sort((one, other) => one.id - other.id);
}

/** Whom texts mention: `@name`, `@group/sub` for its members, `@all` for those of the project or group. */
@Injectable()
export class MentionsService {
  /** The users that a text mentions, whether they can read it or not: who writes to them asks `readersAmong` of `NoteableRegistry`, who lists them `readableBy`. */
  async mentionedUsers(tx: Tx, text: string | null, place: MentionPlace): Promise<MentionedUser[]> {
    return (await this.askFor(tx, text, place))();
  }

  /** The same, asked for with whatever `tx` runs next, for whoever wants them after that. */
  async askFor(tx: Tx, text: string | null, place: MentionPlace): Promise<() => Promise<MentionedUser[]>> {
    const { names, all } = mentionedNames(text ?? '');
    const { id: authorId, admin } = place.author;
    const named =
      names.size > 0 ? await runWithNext<NamedUser>(tx, NAMED_BY, [[...names], authorId, admin]) : nobody;
    const everybody = all
      ? await runWithNext<{ id: number }>(tx, EVERYBODY, [place.projectId, place.groupId])
      : nobody;
    return async () => {
      const members = (await everybody()).map(({ id }) => ({ id, via: null }));
      return mentionedOnce([...(await named()), ...members]);
    };
  }

  /**
   * Stores whom the description of a thing (`noteId` null) or a note on it mentions now, and returns those that it did not mention
   * before. Call it under the lock of the thing.
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

  /** The same for a thing, or a note, that the transaction has made: it has mentioned nobody before. Stored with whatever `tx` runs next. */
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
