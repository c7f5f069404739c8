import { isoTimeSql } from '#kernel/database/time.sql.js';
import { AUTHORIZED } from '#core/projects/lists/visible-projects.js';
import { NOTE_COLUMNS, NOTE_JOINS, NOTEABLE_IID } from '#core/notes/note.record.js';
import { SUBJECTS } from '../event-kinds.js';
import { OPEN_TO_ALL, seenProjects, shows } from './seen-projects.sql.js';
import { userColumns } from '#core/users/records/user-basic.sql.js';

/** Whose events a list shows: those of one project, of one author, or of all projects that the caller has a role in. */
export type EventScope = 'project' | 'author by id' | 'author by name' | 'memberships';

/** How a list of events is read: what decides the text of its statement. */
export interface EventsShape {
  readonly scope: EventScope;
  /** Whether events of all kinds are asked for. */
  readonly isWhole: boolean;
  readonly order: 'created_at' | 'id';
  readonly direction: 'asc' | 'desc';
  /** Conditions on the columns of `e` that an index knows, each beginning with `and`. */
  readonly range: string;
  /** Parameters of the rows to be read of each source, and then of all; `take` ends the statement. */
  readonly most: string;
  readonly take: string;
}

/**
 * The author of a list; none where the profile is hidden from the caller. $6 is their id or name. Whoever is blocked or has confirmed no address
 * shows nothing, and neither does a private profile, but to themselves and to administrators.
 */
const who = (
  condition: string,
): string => `who as materialized (select u.id from users u where ${condition} and not u.pending_delete
    and ($2::boolean or u.id = $1::bigint
      or not u.private_profile and u.confirmed_at is not null and u.state in ('active', 'deactivated')))`;

/** The projects of an author's events where not `enough` is known, found by leaps through their index; `kind` is not needed where only some are asked for. */
const AUTHOR_PLACES = `places(id) as (
    (select e.project_id from events e where not (select ok from enough) and e.author_id = (select id from who) and e.project_id is not null
      order by e.project_id limit 1)
    union all
    select (select e.project_id from events e where e.author_id = (select id from who) and e.project_id > l.id order by e.project_id limit 1)
    from places l where l.id is not null)`;

/** The same with the kinds that there are of each: few, compared with those that there might be. */
const AUTHOR_KINDS = `places(id, kind) as (
    (select e.project_id, e.kind from events e where not (select ok from enough) and e.author_id = (select id from who)
      and e.project_id is not null order by e.project_id, e.kind limit 1)
    union all
    select n.project_id, n.kind from places l cross join lateral (select e.project_id, e.kind from events e
      where e.author_id = (select id from who) and e.project_id is not null and (e.project_id, e.kind) > (l.id, l.kind)
      order by e.project_id, e.kind limit 1) n)`;

const SOURCES: Readonly<Record<EventScope, readonly [author: string, places: string]>> = {
  project: ['', 'select $6::bigint as id'],
  memberships: ['', AUTHORIZED.replace('?', '$6')],
  'author by id': [who('u.id = $6::bigint'), 'select distinct id from places'],
  'author by name': [who('lower(u.username) = lower($6)'), 'select distinct id from places'],
};

/** So many more of an author's newest events are looked at than the page needs, before each of their projects is. */
const LOOK_AHEAD = 200;

/** The newest (or oldest) events of a source, in order. */
function newest({ order, direction, range, most }: EventsShape, conditions: string): string {
  const by = order === 'id' ? `e.id ${direction}` : `e.created_at ${direction}, e.id ${direction}`;
  return `select e.id, e.created_at from events e where ${conditions} ${range} order by ${by} limit ${most}`;
}

/** The kinds of each project to look into. */
const seenKinds = ({ isWhole }: EventsShape): string =>
  isWhole
    ? `join places k on k.id = s.id and k.kind = any($4::smallint[]) and ${shows('k.kind')}`
    : `join unnest($4::smallint[]) k(kind) on ${shows('k.kind')}`;

/** For each project that is seen its newest events; kind by kind, each in the order of an index, where not all of them are wanted or shown. */
function byProject(shape: EventsShape): string {
  const isOfAuthor = shape.scope.startsWith('author');
  const place = `e.project_id = s.id${isOfAuthor ? ' and e.author_id = (select id from who)' : ''}`;
  const sources = [true, false].flatMap((isTrusted) => {
    const trust = isTrusted ? 's.trusted' : 'not s.trusted';
    const open = isTrusted ? '' : `and ${OPEN_TO_ALL}`;
    if (shape.order === 'id') {
      const kinds = `(s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')})`;
      return [newest(shape, `${trust} and ${place} and ${kinds} ${open}`)];
    }
    const ofKind = newest(shape, `${place} and e.kind = k.kind ${open}`);
    if (isOfAuthor) return [`select o.id, o.created_at from (${ofKind}) o where ${trust}`];
    const single = `select o.id, o.created_at from unnest($4::smallint[]) k(kind) cross join lateral (${ofKind}) o
      where not s.whole and ${trust} and ${shows('k.kind')}`;
    return [newest(shape, `s.whole and ${trust} and ${place} ${open}`), single];
  });
  const of = isOfAuthor && shape.order !== 'id' ? `seen s ${seenKinds(shape)}` : 'seen s';
  return `select o.id, o.created_at from ${of} cross join lateral (${sources.map((one) => `(${one})`).join(' union all ')}) o`;
}

/** Condition: the event `e` of the project `s` is one of those that are wanted and shown. */
const VISIBLE = `(s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')}) and (s.trusted or ${OPEN_TO_ALL})`;

/**
 * The newest events of an author that the caller sees, from those that one index yields first, and looked at only until there are enough: mostly their
 * first ones are. `enough` says whether these are all that the page shows: mostly so, and then no other project of the author's needs to be looked at.
 */
function nearest({ range, most }: EventsShape, by: string): string {
  const ahead = `${most}::bigint + ${LOOK_AHEAD}`;
  const theirs = `from events e where e.author_id = (select id from who) and e.project_id is not null ${range}`;
  return `found as materialized (select e.id, e.created_at
      from (select e.id, e.created_at, e.project_id, e.kind, e.subject_id, e.target_id ${theirs} order by ${by} limit ${ahead}) e
        cross join lateral (${seenProjects('select e.project_id as id')} offset 0) s
      where ${VISIBLE} order by ${by} limit ${most}),
    enough as materialized (select case when (select count(*) from found) >= ${most} then true
      else (select count(*) from (select 1 ${theirs} limit ${ahead}) l) < ${ahead} end as ok)`;
}

/** The same where no index yields them in the wanted order: nothing is known beforehand. */
const NOTHING_NEAR = `found as (select null::bigint as id, null::timestamptz as created_at where false),
    enough as materialized (select false as ok)`;

/** The keys of the page in its order, with the tables `with` needs. */
function keys(shape: EventsShape): readonly [tables: string, keys: string] {
  const { scope, order, direction, take } = shape;
  const [author, places] = SOURCES[scope];
  const by = (row: string): string =>
    order === 'id' ? `${row}.id ${direction}` : `${row}.created_at ${direction}, ${row}.id ${direction}`;
  const seen = `seen as materialized (${seenProjects(places)})`;
  if (!scope.startsWith('author'))
    return [
      `with recursive ${seen}`,
      `select o.id, o.created_at from (${byProject(shape)}) o order by ${by('o')} ${take}`,
    ];
  const found = shape.isWhole && order !== 'id' ? AUTHOR_KINDS : AUTHOR_PLACES;
  const near = order === 'id' ? NOTHING_NEAR : nearest(shape, by('e'));
  const tables = `with recursive ${author}, ${near}, ${found}, ${seen}`;
  const either = `select f.id, f.created_at from found f where (select ok from enough) union all ${byProject(shape)}`;
  return [tables, `select o.id, o.created_at from (${either}) o order by ${by('o')} ${take}`];
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

/** Columns of an `EventRow` of the event `e`; those of its author come besides. */
export const EVENT_COLUMNS = `e.id, e.project_id, e.author_id, e.kind, e.target_id, e.target_iid, e.payload, ${TITLE} as target_title, ${NOTE} as note`;

/** When it was, for records and for cursors. */
export const timeColumns = (column: string): string =>
  `${isoTimeSql(column)} as created_at, (extract(epoch from ${column}) * 1000)::bigint as created_ms`;

/** The statement of a page: its keys first, then only their rows, each by its id (`offset 0` keeps that from being hashed). */
export function pageSql(shape: EventsShape): string {
  const [tables, page] = keys(shape);
  const by =
    shape.order === 'id'
      ? `k.id ${shape.direction}`
      : `k.created_at ${shape.direction}, k.id ${shape.direction}`;
  return `${tables}, page as materialized (${page})
    select e.*, ${timeColumns('k.created_at')}, a.*
    from page k
      cross join lateral (select ${EVENT_COLUMNS} from events e where e.id = k.id offset 0) e
      cross join lateral (select ${userColumns('u', 'author_')} from users u where u.id = e.author_id offset 0) a
    order by ${by}`;
}

/**
 * How many of an author's events the caller sees, from the first that one index yields. `enough` says whether that is the answer: mostly so, and then
 * no project needs to be looked at by itself.
 */
function nearestCount({ range, most }: EventsShape): string {
  const ahead = `${most}::bigint + ${LOOK_AHEAD}`;
  return `latest as materialized (select e.project_id, e.kind, e.subject_id, e.target_id from events e
      where e.author_id = (select id from who) and e.project_id is not null ${range} limit ${ahead}),
    near as materialized (${seenProjects('select distinct l.project_id as id from latest l')}),
    found as materialized (select count(*) as total from (select 1 from latest e join near s on s.id = e.project_id where ${VISIBLE} limit ${most}) v),
    enough as materialized (select (select total from found) >= ${most} or (select count(*) from latest) < ${ahead} as ok)`;
}

/** The number of events of the projects in `seen`: in any order, kind by kind only where not all are wanted or shown. */
function countByProject({ scope, range, most, take }: EventsShape): string {
  const place = `e.project_id = s.id${scope.startsWith('author') ? ' and e.author_id = (select id from who)' : ''} ${range}`;
  const sources = ['s.trusted', 'not s.trusted'].flatMap((trust) => {
    const open = trust === 's.trusted' ? '' : `and ${OPEN_TO_ALL}`;
    const whole = `select 1 from events e where s.whole and ${trust} and ${place} ${open} limit ${most}`;
    const ofKind = `select 1 from events e where e.kind = k.kind and ${place} ${open} limit ${most}`;
    const kinds = `unnest($4::smallint[]) k(kind) cross join lateral (${ofKind}) o`;
    return [`(${whole})`, `(select 1 from ${kinds} where not s.whole and ${trust} and ${shows('k.kind')})`];
  });
  return `select count(*) as total from (select 1 from seen s cross join lateral (${sources.join(' union all ')}) o ${take}) counted`;
}

/** The statement that counts. */
export function countSql(shape: EventsShape): string {
  const [author, places] = SOURCES[shape.scope];
  const seen = `seen as materialized (${seenProjects(places)})`;
  if (author === '') return `with ${seen} ${countByProject(shape)}`;
  return `with recursive ${author}, ${nearestCount(shape)}, ${AUTHOR_PLACES}, ${seen}
    select case when (select ok from enough) then (select total from found) else (${countByProject(shape)}) end as total`;
}
