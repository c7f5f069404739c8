import type { Tx } from '#kernel/database/transactions.js';

/** Reads the final status of the previous pipeline on the same branch or tag; null if there is none. */
export type FormerStatus = () => Promise<'success' | 'failed' | null>;

/**
 * Builds a query for that status; `pipeline`: SQL expression of the id of the pipeline. Only the index of the
 * ref has this order: where the planner takes all refs for one, it would walk the pipelines of all projects for
 * an order by id alone. The pair of ref and id is where the walk begins, so later pipelines of the ref are not passed.
 */
export const formerStatusSql = (
  pipeline: string,
): string => `select f.status from ci_pipelines p cross join lateral (select status from ci_pipelines
    where project_id = p.project_id and ref >= p.ref and (ref, id) < (p.ref, p.id) and tag = p.tag and parent_id is null
      and status in ('success', 'failed') order by ref desc, id desc limit 1) f where p.id = ${pipeline}`;

const FORMER = formerStatusSql('$1');

type Row = { readonly status: 'success' | 'failed' };

/** Returns a reader that queries only when it is called. */
export function formerStatus(tx: Tx, pipelineId: number): FormerStatus {
  return async () => (await tx.query<Row[]>(FORMER, [pipelineId]))[0]?.status ?? null;
}
