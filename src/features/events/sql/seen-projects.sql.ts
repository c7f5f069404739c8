import { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { SUBJECTS, type Subject } from '../event-kinds.js';

/** Returns the bits of subjects, whose sum says which events of a project a user may see. */
const bits = (...subjects: readonly Subject[]): number =>
  subjects.reduce((sum, subject) => sum + 2 ** SUBJECTS[subject], 0);

const EVERYTHING = bits(
  ...(Object.keys(SUBJECTS) as Subject[]).filter((subject) => subject !== 'epic' && subject !== 'epicNote'),
);

/** SQL for whether the caller can use a part of the project, by the rules of the guards. */
const level = (feature: string): string =>
  `(case coalesce(p.settings->>'${feature}_access_level', 'enabled') when 'disabled' then false
      when 'private' then r.role >= ${Role.Guest} else true end)`;

/** Guests of a private project see neither code nor merge requests. */
const REPORTER = `(r.role >= ${Role.Reporter} or r.open)`;

const either = (condition: string, ...subjects: readonly Subject[]): string =>
  `case when ${condition} then ${bits(...subjects)} else 0 end`;

const MASK = [
  String(bits('project')),
  either(`${level('repository')} and ${REPORTER}`, 'push', 'commitNote'),
  either(level('issues'), 'issue', 'issueNote'),
  either(`${level('merge_requests')} and ${REPORTER}`, 'mergeRequest', 'mergeRequestNote'),
  either(`${level('issues')} or ${level('merge_requests')}`, 'milestone'),
  either(level('wiki'), 'wikiPage'),
  either(level('snippets'), 'snippetNote'),
].join(' + ');

/**
 * SQL for those of the projects selected by `projects` that the caller can see, with what is visible of their
 * events: `role`; `mask`, the bits of visible subjects; `whole`, all of them without a filter; `trusted`,
 * nothing is hidden from the role. Parameters: $1 the caller (null: anonymous), $2 whether an administrator,
 * $3 whether internal projects are visible, $5 whether all kinds are requested. Each value is computed once
 * (`offset 0`), the role only for the selected projects (`x.id`).
 */
export const seenProjects = (
  projects: string,
): string => `select p.id, r.role, m.mask, $5::boolean and m.mask = ${EVERYTHING} as whole,
    r.role >= ${Role.Reporter} as trusted
  from (${projects}) x join projects p on p.id = x.id and not p.pending_delete join namespaces n on n.id = p.namespace_id
    cross join lateral (select case when $2::boolean then ${Role.Admin} else ${projectRoleSql('$1::bigint', 'x', 'n')} end as role,
      p.visibility = 'public' or p.visibility = 'internal' and $3::boolean as open offset 0) r
    cross join lateral (select ${MASK} as mask offset 0) m
  where r.role > 0 or r.open`;

/** SQL condition: events of this kind are visible in the project `s`. */
export const shows = (kind: string): string => `(s.mask >> (${kind} / 16)) & 1 = 1`;

/**
 * SQL condition: the event `e` is visible below Reporter in the project `s`: about issues that are not
 * confidential or are the caller's own, visible snippets, and no internal notes. Removed objects have no
 * subject; it is 0 if not everyone could read them. Scalar subqueries, because `exists` may become a hash of
 * the whole table.
 */
export const OPEN_TO_ALL = `(case e.kind / 16
    when ${SUBJECTS.issue} then e.subject_id is null or (${issueIsOpen()})
    when ${SUBJECTS.issueNote} then e.subject_id is null or (${issueIsOpen()})
    when ${SUBJECTS.snippetNote} then s.role >= ${Role.Guest} or e.subject_id is null or (select t.visibility = 'public' or t.visibility = 'internal' and $3::boolean
      or t.author_id = $1::bigint from snippets t where t.id = e.subject_id)
    else true end
  and (e.kind / 16 not between ${SUBJECTS.issueNote} and ${SUBJECTS.commitNote} or case when e.target_id is null
    then e.subject_id is distinct from 0 or e.kind / 16 = ${SUBJECTS.snippetNote} else (select not o.internal from notes o where o.id = e.target_id) end))`;

function issueIsOpen(): string {
  return `select not i.confidential or i.author_id = $1::bigint
      or exists (select 1 from issue_assignees a where a.issue_id = i.id and a.user_id = $1::bigint)
    from issues i where i.id = e.subject_id`;
}
