const setting = (project: string, name: string, byDefault: boolean): string =>
  `coalesce((${project}.settings ->> '${name}')::boolean, ${String(byDefault)})`;

const linked = (source: string, target: string, direction: 'inbound' | 'outbound'): string =>
  `exists (select 1 from ci_job_token_links l where l.source_project_id = ${source} and l.target_project_id = ${target}
    and l.direction = '${direction}')`;

/**
 * SQL condition: a job of the project `source` may access the project `target` (`ci.md` 7.1). Always true for
 * its own project. For others, the target must be on the outbound list of the source if it has one, and the
 * source on the inbound list of the target if that has one.
 */
export const jobReachSql = (source: string, target: string): string => `(${source}.id = ${target}.id or (
  (not ${setting(source, 'ci_job_token_scope_enabled', false)} or ${linked(`${source}.id`, `${target}.id`, 'outbound')})
  and (not ${setting(target, 'ci_inbound_job_token_scope_enabled', true)} or ${linked(`${source}.id`, `${target}.id`, 'inbound')})))`;
