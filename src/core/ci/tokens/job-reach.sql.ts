const setting = (project: string, name: string, byDefault: boolean): string =>
  `coalesce((${project}.settings ->> '${name}')::boolean, ${String(byDefault)})`;

const linked = (source: string, target: string, direction: 'inbound' | 'outbound'): string =>
  `exists (select 1 from ci_job_token_links l where l.source_project_id = ${source} and l.target_project_id = ${target}
    and l.direction = '${direction}')`;

/**
 * Condition: a job of the project with the row `source` may act on the project with the row `target` (`ci.md` 7.1): its own always; another one
 * must be on the list of the source where that keeps one (outbound), and must let the source in where it keeps a list (inbound).
 */
export const jobReachSql = (source: string, target: string): string => `(${source}.id = ${target}.id or (
  (not ${setting(source, 'ci_job_token_scope_enabled', false)} or ${linked(`${source}.id`, `${target}.id`, 'outbound')})
  and (not ${setting(target, 'ci_inbound_job_token_scope_enabled', true)} or ${linked(`${source}.id`, `${target}.id`, 'inbound')})))`;
