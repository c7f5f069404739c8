import { isoTimeSql } from '#kernel/database/time.sql.js';
import { NOTE_COLUMNS, NOTE_JOINS, NOTEABLE_IID } from '#core/notes/note.record.js';
import { SUBJECTS } from '../event-kinds.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** Scope of a list: one project, one author, or all projects in which the caller has a role. */
export type EventScope = 'project' | 'author by id' | 'author by name' | 'memberships';

/** Properties of a list that determine its statement. */
export interface EventsShape {
  readonly scope: EventScope;
  /** Whether events of all kinds are requested. */
  readonly isWhole: boolean;
  readonly order: 'created_at' | 'id';
  readonly direction: 'asc' | 'desc';
  /** Conditions on indexed columns of `e`, each starting with `and`. */
  readonly range: string;
  /** Parameter for the number of rows read from each source. */
  readonly most: string;
  /** `limit` and `offset` of the page. */
  readonly take: string;
}

const { issue, mergeRequest, milestone, wikiPage, issueNote, mergeRequestNote, snippetNote, commitNote } =
  SUBJECTS;
const titleOf = (table: string): string => `(select t.title from ${table} t where t.id = e.subject_id)`;

const TITLE = `case when e.kind / 16 in (${issue}, ${issueNote}) then ${titleOf('issues')}
  when e.kind / 16 in (${mergeRequest}, ${mergeRequestNote}) then ${titleOf('merge_requests')}
  when e.kind / 16 = ${milestone} then coalesce(${titleOf('milestones')}, e.payload->>'title')
  when e.kind / 16 in (${wikiPage}, ${commitNote}) then e.payload->>'title'
  when e.kind / 16 = ${snippetNote} then ${titleOf('snippets')} end`;

const NOTE = `case when e.kind / 16 between ${issueNote} and ${commitNote} then (select row_to_json(t)
  from (select ${NOTE_COLUMNS}, ${NOTEABLE_IID} as noteable_iid from notes n ${NOTE_JOINS} where n.id = e.target_id) t) end`;

/** Select list of an `EventRow` of the event `e`, without its author. */
export const EVENT_COLUMNS = `e.id, e.project_id, e.author_id, e.kind, e.target_id, e.target_iid, e.payload, ${TITLE} as target_title, ${NOTE} as note`;

/** SQL for the time in records and in cursors. */
export const timeColumns = (column: string): string =>
  `${isoTimeSql(column)} as created_at, (extract(epoch from ${column}) * 1000)::bigint as created_ms`;

/**
 * Last part of the statement of a page, before its order: the rows of the keys in `page`, each by id
 * (`offset 0` prevents hashing).
 */
export const ROWS_OF_PAGE = `select e.*, ${timeColumns('k.created_at')}, a.*
  from page k
    cross join lateral (select ${EVENT_COLUMNS} from events e where e.id = k.id offset 0) e
    cross join lateral (select ${userColumns('u', 'author_')} from users u where u.id = e.author_id offset 0) a`;
