import { Anything, Flag, Id, IsoTime, Text } from '#kernel/http/fields/scalar-fields.js';
import { Nested } from '#kernel/http/fields/composite-fields.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import type { Links } from '#kernel/http/links.js';
import { presentUserIn, UserBasicRecord, type PrefixedUser } from '#core/users/records/user-basic.record.js';
import type { NoteableType } from './noteables/noteable.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** A note on a noteable (`planning.md` 5.5). */
export class NoteRecord {
  @Id()
  id!: number;

  @Text({
    nullable: true,
    description: 'DiffNote, DiscussionNote, or null for one that is no part of a discussion',
  })
  type!: string | null;

  @Text({ example: 'Looks good to me' })
  body!: string;

  @Text({ nullable: true, description: 'Always null' })
  attachment!: null;

  @Nested(() => UserBasicRecord, { nullable: true })
  author!: UserBasicRecord | null;

  @IsoTime()
  created_at!: string;

  @IsoTime()
  updated_at!: string;

  @Flag({ description: 'Written by the service, about something that was done' })
  system!: boolean;

  @Id({ nullable: true })
  noteable_id!: number | null;

  @Text({ example: 'Issue' })
  noteable_type!: NoteableType;

  @Id({ nullable: true })
  noteable_iid!: number | null;

  @Id({ nullable: true })
  project_id!: number | null;

  @Text({ optional: true })
  commit_id?: string;

  @Anything({ optional: true })
  position?: unknown;

  @Flag()
  resolvable!: boolean;

  @Flag({ optional: true })
  resolved?: boolean;

  @Nested(() => UserBasicRecord, { optional: true, nullable: true })
  resolved_by?: UserBasicRecord | null;

  @IsoTime({ optional: true, nullable: true })
  resolved_at?: string | null;

  @Flag({ description: 'The same as internal' })
  confidential!: boolean;

  @Flag({ description: 'For those who may read internal notes' })
  internal!: boolean;

  @Anything({ description: 'Changes by commands in its text; only in the response to its creation' })
  commands_changes!: Readonly<Record<string, unknown>>;
}

/** Columns of a note, next to those of other tables. */
export interface NoteRow extends PrefixedUser<'na_'>, PrefixedUser<'nr_'> {
  readonly n_id: number;
  readonly n_type: string | null;
  readonly n_body: string;
  readonly n_created_at: string;
  readonly n_updated_at: string;
  readonly n_system: boolean;
  readonly n_internal: boolean;
  readonly n_noteable_id: number | null;
  readonly n_noteable_type: NoteableType;
  readonly n_project_id: number | null;
  readonly n_commit_id: string | null;
  readonly n_position: unknown;
  readonly n_discussion_id: string;
  readonly n_resolved_at: string | null;
}

/** Select list of a `NoteRow`, over the aliases `n` (notes), `na` and `nr` (`NOTE_JOINS`). */
export const NOTE_COLUMNS = `n.id as n_id, n.type as n_type, n.body as n_body, ${isoTimeSql('n.created_at')} as n_created_at,
  ${isoTimeSql('n.updated_at')} as n_updated_at, n.system as n_system, n.internal as n_internal, n.noteable_id as n_noteable_id,
  n.noteable_type as n_noteable_type, n.project_id as n_project_id, n.commit_id as n_commit_id, n.position as n_position,
  n.discussion_id as n_discussion_id, ${isoTimeSql('n.resolved_at')} as n_resolved_at, ${userColumns('na', 'na_')}, ${userColumns('nr', 'nr_')}`;

/** Joins the author of a note and the user who resolved it. */
export const NOTE_JOINS =
  'left join users na on na.id = n.author_id left join users nr on nr.id = n.resolved_by_id';

/** SQL expression: the iid of the noteable of a project's note; null for snippets and commits. */
export const NOTEABLE_IID = `case n.noteable_type when 'Issue' then (select x.iid from issues x where x.id = n.noteable_id)
  when 'MergeRequest' then (select x.iid from merge_requests x where x.id = n.noteable_id) end`;

/**
 * Presents a note; `noteableIid`: that of its noteable; `changes`: attributes just changed by quick actions
 * in its text.
 */
export function presentNote(
  row: NoteRow,
  noteableIid: number | null,
  links: Links,
  changes: Readonly<Record<string, unknown>> = {},
): NoteRecord {
  const isDiscussed = row.n_type !== null && row.n_noteable_type === 'MergeRequest' && !row.n_system;
  return {
    id: row.n_id,
    type: row.n_type,
    body: row.n_body,
    attachment: null,
    author: presentUserIn(row, 'na_', links),
    created_at: row.n_created_at,
    updated_at: row.n_updated_at,
    system: row.n_system,
    noteable_id: row.n_noteable_id,
    noteable_type: row.n_noteable_type,
    noteable_iid: noteableIid,
    project_id: row.n_project_id,
    ...(row.n_commit_id === null ? {} : { commit_id: row.n_commit_id }),
    ...(row.n_position === null ? {} : { position: row.n_position }),
    resolvable: isDiscussed,
    ...(isDiscussed
      ? {
          resolved: row.n_resolved_at !== null,
          resolved_by: presentUserIn(row, 'nr_', links),
          resolved_at: row.n_resolved_at,
        }
      : {}),
    confidential: row.n_internal,
    internal: row.n_internal,
    commands_changes: changes,
  };
}
