import { Role } from '#kernel/access/roles.js';
import { isoTimeSql } from '#kernel/database/time.sql.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isAdminSql } from '#core/users/admin.sql.js';

/**
 * SQL condition: issues of other projects are included if the exporting user could export those projects too.
 */
const MAY_KNOW = `exists (select from projects xp join namespaces xn on xn.id = xp.namespace_id join users xr on xr.id = $4
    where xp.id = xo.project_id and not xp.pending_delete and (${isAdminSql('xr')} or ${projectRoleSql('xr.id', 'xp', 'xn')} >= ${Role.Maintainer}))`;

/** SQL expression: the links of an issue `i` in order of creation; both ends contain a link. */
export const ISSUE_LINKS_JSON = `(select coalesce(json_agg(json_build_object('source_id', xl.source_id, 'target_id', xl.target_id,
      'link_type', xl.link_type, 'other_project_id', xo.project_id, 'created_at', ${isoTimeSql('xl.created_at')},
      'updated_at', ${isoTimeSql('xl.updated_at')}) order by xl.id), '[]')
    from (select xs.* from issue_links xs where xs.source_id = i.id union all select xt.* from issue_links xt where xt.target_id = i.id) xl
      join issues xo on xo.id = case xl.source_id when i.id then xl.target_id else xl.source_id end
    where xo.project_id = i.project_id or ${MAY_KNOW})`;
