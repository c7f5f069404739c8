/** SQL condition: one of the groups that `traversal` (an expression of type bigint[]) leads through says so of the runners of the instance. */
const groupsSay = (traversal: string, said: string): string =>
  `exists (select 1 from namespaces rg where rg.id = any(${traversal}) and rg.settings ->> 'shared_runners_setting' ${said})`;

/** SQL condition: a group keeps all of its projects from the runners of the instance; `traversal` is an expression of type bigint[]. */
export const keepsFromInstanceRunnersSql = (traversal: string): string =>
  groupsSay(traversal, "= 'disabled_and_unoverridable'");

/**
 * SQL condition: jobs of the project `p` run on runners of the instance. What groups above it say holds where the project says nothing, and
 * in any case where they let nobody say otherwise.
 */
export const TAKES_INSTANCE_RUNNERS = `exists (select 1 from namespaces rn where rn.id = p.namespace_id
  and not ${keepsFromInstanceRunnersSql('rn.traversal_ids')}
  and coalesce((p.settings ->> 'shared_runners_enabled')::boolean, not ${groupsSay('rn.traversal_ids', "<> 'enabled'")}))`;
