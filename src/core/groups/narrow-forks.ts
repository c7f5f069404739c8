import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { AuditAuthor, AuditLogService } from '#core/audit/audit-log.service.js';
import type { Visibility } from './namespaces/namespace.entity.js';

/** A fork whose visibility was lowered with its source. */
interface Narrowed {
  readonly id: number;
  readonly full_path: string;
  readonly former: Visibility;
  readonly visibility: Visibility;
}

const rankSql = (column: string): string =>
  `array_position(array['private', 'internal', 'public'], ${column}::text)`;

/**
 * Forks with a wider visibility than their sources, which the caller has locked; the forks are locked in the
 * order of their ids.
 */
const NARROW = `with wider as (select f.id, f.visibility as former, s.visibility from projects s join projects f on f.forked_from_id = s.id
    where s.id = any($1::bigint[]) and ${rankSql('f.visibility')} > ${rankSql('s.visibility')} order by f.id for no key update of f),
  narrowed as (update projects p set visibility = w.visibility, updated_at = ${STATEMENT_TIME} from wider w where p.id = w.id
    returning p.id, p.full_path, w.former, w.visibility)
  select id, full_path, former, visibility from narrowed order by id`;

/** Limits the visibility of the forks of projects whose visibility was lowered, recursively. */
export async function narrowForks(
  tx: Tx,
  audit: AuditLogService,
  actor: AuditAuthor,
  sourceIds: readonly number[],
): Promise<void> {
  let ids = sourceIds;
  while (ids.length > 0) {
    const narrowed = await tx.query<Narrowed[]>(NARROW, [ids]);
    for (const { id, full_path: path, former, visibility } of narrowed) {
      const change = { change: 'visibility_level', from: former, to: visibility };
      await audit.record(
        tx,
        actor,
        { type: 'Project', id, path },
        { type: 'Project', id, details: path },
        change,
      );
    }
    ids = narrowed.map(({ id }) => id);
  }
}
