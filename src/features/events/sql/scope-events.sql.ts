import { AUTHORIZED } from '#core/projects/lists/visible-projects.js';
import { ROWS_OF_PAGE, type EventsShape } from './events.sql.js';
import { OPEN_TO_ALL, seenProjects, shows } from './seen-projects.sql.js';

/** SQL for the projects of a list; $6 is the project, or the caller. */
const SCOPES = {
  project: 'select $6::bigint as id',
  memberships: AUTHORIZED.replace('?', '$6'),
} as const;

/** Shape of a list for a project or all projects in which the caller has a role. */
export interface ScopeShape extends EventsShape {
  readonly scope: keyof typeof SCOPES;
}

/** SQL for a page of the events of projects. */
export const scopePageSql = (shape: ScopeShape): string =>
  shape.order === 'id' ? byId(shape) : byTime(shape);

/** For each project its newest events by id, of the requested and visible kinds. */
function byId({ scope, direction, range, most, take }: ScopeShape): string {
  return `with recursive
  seen as materialized (${seenProjects(SCOPES[scope])}),
  page as materialized (
    select o.id, o.created_at
    from (
      select o.id, o.created_at
      from seen s cross join lateral (
        (select e.id, e.created_at from events e
          where s.trusted and e.project_id = s.id and (s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')}) ${range}
          order by e.id ${direction} limit ${most})
        union all
        (select e.id, e.created_at from events e
          where not s.trusted and e.project_id = s.id and (s.whole or e.kind = any($4::smallint[]) and ${shows('e.kind')})
            and ${OPEN_TO_ALL} ${range}
          order by e.id ${direction} limit ${most})) o) o
    order by o.id ${direction} ${take})
${ROWS_OF_PAGE} order by k.id ${direction}`;
}

/**
 * For each project its newest events by time; kind by kind, each in the order of an index, unless all kinds
 * are requested and visible.
 */
function byTime({ scope, direction, range, most, take }: ScopeShape): string {
  return `with recursive
  seen as materialized (${seenProjects(SCOPES[scope])}),
  page as materialized (
    select o.id, o.created_at
    from (
      select o.id, o.created_at
      from seen s cross join lateral (
        (select e.id, e.created_at from events e
          where s.whole and s.trusted and e.project_id = s.id ${range}
          order by e.created_at ${direction}, e.id ${direction} limit ${most})
        union all
        (select o.id, o.created_at from unnest($4::smallint[]) k(kind) cross join lateral (
            select e.id, e.created_at from events e
            where e.project_id = s.id and e.kind = k.kind ${range}
            order by e.created_at ${direction}, e.id ${direction} limit ${most}) o
          where not s.whole and s.trusted and ${shows('k.kind')})
        union all
        (select e.id, e.created_at from events e
          where s.whole and not s.trusted and e.project_id = s.id and ${OPEN_TO_ALL} ${range}
          order by e.created_at ${direction}, e.id ${direction} limit ${most})
        union all
        (select o.id, o.created_at from unnest($4::smallint[]) k(kind) cross join lateral (
            select e.id, e.created_at from events e
            where e.project_id = s.id and e.kind = k.kind and ${OPEN_TO_ALL} ${range}
            order by e.created_at ${direction}, e.id ${direction} limit ${most}) o
          where not s.whole and not s.trusted and ${shows('k.kind')})) o) o
    order by o.created_at ${direction}, o.id ${direction} ${take})
${ROWS_OF_PAGE} order by k.created_at ${direction}, k.id ${direction}`;
}

/** SQL for the number of these events: in any order; kind by kind unless all are requested and visible. */
export const scopeCountSql = ({ scope, range, most }: ScopeShape): string => `with
  seen as materialized (${seenProjects(SCOPES[scope])})
  select count(*) as total
  from (
    select 1
    from seen s cross join lateral (
      (select 1 from events e where s.whole and s.trusted and e.project_id = s.id ${range} limit ${most})
      union all
      (select 1 from unnest($4::smallint[]) k(kind) cross join lateral (
          select 1 from events e where e.kind = k.kind and e.project_id = s.id ${range} limit ${most}) o
        where not s.whole and s.trusted and ${shows('k.kind')})
      union all
      (select 1 from events e where s.whole and not s.trusted and e.project_id = s.id ${range} and ${OPEN_TO_ALL} limit ${most})
      union all
      (select 1 from unnest($4::smallint[]) k(kind) cross join lateral (
          select 1 from events e where e.kind = k.kind and e.project_id = s.id ${range} and ${OPEN_TO_ALL} limit ${most}) o
        where not s.whole and not s.trusted and ${shows('k.kind')})) o
    limit ${most}) counted`;
