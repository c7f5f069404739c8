import { ROWS_OF_PAGE, type EventsShape } from './events.sql.js';
import { OPEN_TO_ALL, seenProjects, shows } from './seen-projects.sql.js';

const SHOWN_AUTHOR = `not u.pending_delete
      and ($2::boolean or u.id = $1::bigint
        or not u.private_profile and u.confirmed_at is not null and u.state in ('active', 'deactivated'))`;

/**
 * SQL for the author by $6; none if the profile is hidden from the caller. Blocked and unconfirmed users show
 * nothing, and private profiles only to themselves and administrators.
 */
const AUTHOR = {
  'author by id': `select u.id from users u where u.id = $6::bigint and ${SHOWN_AUTHOR}`,
  'author by name': `select u.id from users u where lower(u.username) = lower($6) and ${SHOWN_AUTHOR}`,
} as const;

/** Shape of a list of an author's events. */
export interface AuthorShape extends EventsShape {
  readonly scope: keyof typeof AUTHOR;
}

/** Projects of an author's events, unless `enough` is known; found by a loose index scan. */
const PROJECTS = `candidates(id) as (
    (select e.project_id from events e
      where not (select ok from enough) and e.author_id = (select id from who) and e.project_id is not null
      order by e.project_id limit 1)
    union all
    select (select e.project_id from events e
      where e.author_id = (select id from who) and e.project_id > l.id order by e.project_id limit 1)
    from candidates l where l.id is not null)`;

/** The same with the kinds in each project: few compared with all possible kinds. */
const PROJECTS_AND_KINDS = `candidates(id, kind) as (
    (select e.project_id, e.kind from events e
      where not (select ok from enough) and e.author_id = (select id from who) and e.project_id is not null
      order by e.project_id, e.kind limit 1)
    union all
    select n.project_id, n.kind
    from candidates l cross join lateral (
      select e.project_id, e.kind from events e
      where e.author_id = (select id from who) and e.project_id is not null and (e.project_id, e.kind) > (l.id, l.kind)
      order by e.project_id, e.kind limit 1) n)`;

/** Number of an author's newest events read beyond the page, before reading each of their projects. */
const LOOK_AHEAD = 200;

/** SQL condition: the event `e` of the project `s` matches the filters and is visible. */
const VISIBLE = `(s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')}) and (s.trusted or ${OPEN_TO_ALL})`;

/** SQL for a page of an author's events. */
export const authorPageSql = (shape: AuthorShape): string =>
  shape.order === 'id' ? byId(shape) : byTime(shape);

/** No index has an author's events by id: reads each of the author's projects. */
function byId({ scope, direction, range, most, take }: AuthorShape): string {
  return `with recursive
  who as materialized (${AUTHOR[scope]}),
  candidates(id) as (
    (select e.project_id from events e
      where e.author_id = (select id from who) and e.project_id is not null
      order by e.project_id limit 1)
    union all
    select (select e.project_id from events e
      where e.author_id = (select id from who) and e.project_id > l.id order by e.project_id limit 1)
    from candidates l where l.id is not null),
  seen as materialized (${seenProjects('select distinct id from candidates')}),
  page as materialized (
    select o.id, o.created_at
    from (
      select o.id, o.created_at
      from seen s cross join lateral (
        (select e.id, e.created_at from events e
          where s.trusted and e.project_id = s.id and e.author_id = (select id from who)
            and (s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')}) ${range}
          order by e.id ${direction} limit ${most})
        union all
        (select e.id, e.created_at from events e
          where not s.trusted and e.project_id = s.id and e.author_id = (select id from who)
            and (s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')}) and ${OPEN_TO_ALL} ${range}
          order by e.id ${direction} limit ${most})) o) o
    order by o.id ${direction} ${take})
${ROWS_OF_PAGE} order by k.id ${direction}`;
}

/**
 * Reads the newest visible events as `found` in the order of an index, until there are enough: mostly the
 * first ones are. `enough`: whether these are the whole page; then no other project of the author must be
 * read, which is the common case.
 */
function byTime({ scope, isWhole, direction, range, most, take }: AuthorShape): string {
  const ahead = `${most}::bigint + ${LOOK_AHEAD}`;
  const kinds = isWhole
    ? `join candidates k on k.id = s.id and k.kind = any($4::smallint[]) and ${shows('k.kind')}`
    : `join unnest($4::smallint[]) k(kind) on ${shows('k.kind')}`;
  return `with recursive
  who as materialized (${AUTHOR[scope]}),
  found as materialized (
    select e.id, e.created_at
    from (
        select e.id, e.created_at, e.project_id, e.kind, e.subject_id, e.target_id
        from events e where e.author_id = (select id from who) and e.project_id is not null ${range}
        order by e.created_at ${direction}, e.id ${direction} limit ${ahead}) e
      cross join lateral (${seenProjects('select e.project_id as id')} offset 0) s
    where ${VISIBLE} order by e.created_at ${direction}, e.id ${direction} limit ${most}),
  enough as materialized (
    select case when (select count(*) from found) >= ${most} then true
      else (select count(*) from (
        select 1 from events e where e.author_id = (select id from who) and e.project_id is not null ${range}
        limit ${ahead}) l) < ${ahead} end as ok),
  ${isWhole ? PROJECTS_AND_KINDS : PROJECTS},
  seen as materialized (${seenProjects('select distinct id from candidates')}),
  page as materialized (
    select o.id, o.created_at
    from (
      select f.id, f.created_at from found f where (select ok from enough)
      union all
      select o.id, o.created_at
      from seen s ${kinds} cross join lateral (
        (select o.id, o.created_at from (
            select e.id, e.created_at from events e
            where e.project_id = s.id and e.author_id = (select id from who) and e.kind = k.kind ${range}
            order by e.created_at ${direction}, e.id ${direction} limit ${most}) o
          where s.trusted)
        union all
        (select o.id, o.created_at from (
            select e.id, e.created_at from events e
            where e.project_id = s.id and e.author_id = (select id from who) and e.kind = k.kind and ${OPEN_TO_ALL} ${range}
            order by e.created_at ${direction}, e.id ${direction} limit ${most}) o
          where not s.trusted)) o) o
    order by o.created_at ${direction}, o.id ${direction} ${take})
${ROWS_OF_PAGE} order by k.created_at ${direction}, k.id ${direction}`;
}

/**
 * SQL for the number of an author's visible events, from the first ones of an index. `enough`: whether that
 * is the result; then no project must be read by itself, which is the common case.
 */
export function authorCountSql({ scope, range, most }: AuthorShape): string {
  const ahead = `${most}::bigint + ${LOOK_AHEAD}`;
  const theirs = `e.project_id = s.id and e.author_id = (select id from who) ${range}`;
  return `with recursive
  who as materialized (${AUTHOR[scope]}),
  latest as materialized (
    select e.project_id, e.kind, e.subject_id, e.target_id from events e
    where e.author_id = (select id from who) and e.project_id is not null ${range} limit ${ahead}),
  near as materialized (${seenProjects('select distinct l.project_id as id from latest l')}),
  found as materialized (
    select count(*) as total
    from (select 1 from latest e join near s on s.id = e.project_id where ${VISIBLE} limit ${most}) v),
  enough as materialized (
    select (select total from found) >= ${most} or (select count(*) from latest) < ${ahead} as ok),
  ${PROJECTS},
  seen as materialized (${seenProjects('select distinct id from candidates')})
  select case when (select ok from enough) then (select total from found) else (
    select count(*) as total
    from (
      select 1
      from seen s cross join lateral (
        (select 1 from events e where s.whole and s.trusted and ${theirs} limit ${most})
        union all
        (select 1 from unnest($4::smallint[]) k(kind) cross join lateral (
            select 1 from events e where e.kind = k.kind and ${theirs} limit ${most}) o
          where not s.whole and s.trusted and ${shows('k.kind')})
        union all
        (select 1 from events e where s.whole and not s.trusted and ${theirs} and ${OPEN_TO_ALL} limit ${most})
        union all
        (select 1 from unnest($4::smallint[]) k(kind) cross join lateral (
            select 1 from events e where e.kind = k.kind and ${theirs} and ${OPEN_TO_ALL} limit ${most}) o
          where not s.whole and not s.trusted and ${shows('k.kind')})) o
      limit ${most}) counted) end as total`;
}
