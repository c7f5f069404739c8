import type { ProtectedAction } from '../protected-ref.entity.js';

/** SQL expression: the levels of one kind of the protection `r`, as v4 servers export them. */
export const levelsJson = (kind: ProtectedAction): string =>
  `(select coalesce(json_agg(json_build_object('access_level', l.access_level, 'user_id', l.user_id, 'group_id', l.group_id) order by l.id), '[]')
    from protected_ref_access_levels l where l.protected_ref_id = r.id and l.kind = '${kind}')`;
