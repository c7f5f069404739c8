import { Role } from '#kernel/access/roles.js';
import { keptFromSql, meansUserSql } from '#core/environments/protection/protection.sql.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { isActiveSql } from '#core/users/active.sql.js';
import { actsAsAdminSql, didAsAdminSql } from '#core/users/admin.sql.js';
import { isHumanSql, personSql } from '#core/users/person.sql.js';

/** SQL condition: the rule `r` includes and counts the user `u`: bots only if it names them. */
export const COUNTS_FOR_RULE = `(${isHumanSql('u')} or r.user_id = u.id)`;

/** Administrator rights with which the approval `a` was given, if the user `u` still has them. */
const SAID = didAsAdminSql('a.as_admin', 'u');
const ADMIN = actsAsAdminSql(SAID, 'u');

/**
 * SQL condition: the user `u` did not trigger the deployment `d` of the project `p`, or the project allows
 * approving one's own.
 */
const NOT_OWN = `(coalesce((p.settings->>'allow_pipeline_trigger_approve_deployment')::boolean, false)
  or ${personSql('u')} is distinct from (select ${personSql('t')} from users t where t.id = d.user_id))`;

/** SQL condition: without rules, users who may deploy may approve. */
const MAY_DEPLOY = `(${isHumanSql('u')} and (${ADMIN} or ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Developer})
  and not ${keptFromSql('d.project_id', 'e.name', 'e.tier', 'a.user_id', SAID)})`;

/**
 * SQL condition: the user `u` can still see the deployment, as the route of approvals demands: a Guest of a
 * private project cannot, even if a rule names them.
 */
const SEES = `(${ADMIN} or p.visibility <> 'private' or ${projectRoleSql('u.id', 'p', 'n')} >= ${Role.Reporter})`;

/** SQL condition: the deployment `d` has begun; its approvals were evaluated then. */
export const HAS_BEGUN = `d.status not in ('created', 'blocked')`;

/**
 * SQL condition: the approval `a` of the user `u` counts for the deployment `d` to the environment `e` of the
 * project `p` in the namespace `n`; `r` is its rule with the protection `pe`, null if that no longer applies.
 */
export const COUNTING_SQL = `(${HAS_BEGUN} or (${isActiveSql('u')} and ${NOT_OWN} and ${SEES}
  and case when r.id is null then ${MAY_DEPLOY} else ${meansUserSql('r', ADMIN)} and ${COUNTS_FOR_RULE} end))`;
