import { Role } from '#kernel/access/roles.js';
import { keptFromSql, meansUserSql } from '#core/environments/protection/protection.sql.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql, didAsAdminSql } from '#core/users/admin.sql.js';
import { isHumanSql, personSql } from '#core/users/person.sql.js';

/** Condition: the rule `r` counts the user `u`, whom it means: bots only where it names them. */
export const COUNTS_FOR_RULE = `(${isHumanSql('u')} or r.user_id = u.id)`;

/** The standing that the approval `a` was given with, as far as the user `u` has it still. */
const SAID = didAsAdminSql('a.as_admin', 'u');
const ADMIN = actsAsAdminSql(SAID, 'u');

/** Condition: the user `u` has not triggered the deployment `d` of the project `p`, or its people may approve what is their own. */
const NOT_OWN = `(coalesce((p.settings->>'allow_pipeline_trigger_approve_deployment')::boolean, false)
  or ${personSql('u')} is distinct from (select ${personSql('t')} from users t where t.id = d.user_id))`;

/** Condition: whoever may deploy may approve, where there are no rules. */
const MAY_DEPLOY = `(${isHumanSql('u')} and (${ADMIN} or ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Developer})
  and not ${keptFromSql('d.project_id', 'e.name', 'e.tier', 'a.user_id', SAID)})`;

/**
 * Condition: the approval `a` of the user `u` counts for the deployment `d` to the environment `e` of the project `p` in the namespace `n`; `r` is
 * the rule that it was given by, with its protection `pe`, and null where that does not hold any more. What has begun was judged when it began.
 */
export const COUNTING_SQL = `(d.status not in ('created', 'blocked') or (${isActiveSql('u')} and ${NOT_OWN}
  and case when r.id is null then ${MAY_DEPLOY} else ${meansUserSql('r', ADMIN)} and ${COUNTS_FOR_RULE} end))`;
