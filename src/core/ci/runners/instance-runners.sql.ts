/**
 * SQL condition: a group in `traversal` (an expression of type bigint[]) has this setting for instance
 * runners.
 */
const groupsSay = (traversal: string, said: string): string =>
  `exists (select 1 from namespaces rg where rg.id = any(${traversal}) and rg.settings ->> 'shared_runners_setting' ${said})`;

/**
 * SQL condition: a group disables instance runners for all its projects; `traversal` is an expression of type
 * bigint[].
 */
export const keepsFromInstanceRunnersSql = (traversal: string): string =>
  groupsSay(traversal, "= 'disabled_and_unoverridable'");

/**
 * SQL condition: jobs of the project `p` may run on instance runners. The setting of an ancestor group
 * applies if the project has none, or if the group forbids overriding it.
 */
export const TAKES_INSTANCE_RUNNERS = `exists (select 1 from namespaces rn where rn.id = p.namespace_id
  and not ${keepsFromInstanceRunnersSql('rn.traversal_ids')}
  and coalesce((p.settings ->> 'shared_runners_enabled')::boolean, not ${groupsSay('rn.traversal_ids', "<> 'enabled'")}))`;
