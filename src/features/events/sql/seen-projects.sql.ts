import { Role } from '#kernel/access/roles.js';
import { projectRoleSql } from '#core/members/sql/role.sql.js';
import { SUBJECTS, type Subject } from '../event-kinds.js';

/** Sums of these say which events of a project somebody may see: one bit for each subject. */
const bits = (...subjects: readonly Subject[]): number =>
  subjects.reduce((sum, subject) => sum + 2 ** SUBJECTS[subject], 0);

const EVERYTHING = bits(
  ...(Object.keys(SUBJECTS) as Subject[]).filter((subject) => subject !== 'epic' && subject !== 'epicNote'),
);

/** Whether the part of the project is there for the caller: the rule of the guards. */
const level = (feature: string): string =>
  `(case coalesce(p.settings->>'${feature}_access_level', 'enabled') when 'disabled' then false
      when 'private' then r.role >= ${Role.Guest} else true end)`;

/** Where a project is private its guests see neither code nor merge requests. */
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
 * Of the projects with the ids that `places` selects those that the caller can see, with what they see of the events there:
 * `role`; `mask`, the bits of its subjects; `whole`, all of them and none filtered out; `trusted`, nothing in them is kept from the role. Parameters: $1 the
 * caller (null: nobody), $2 whether an administrator, $3 whether what is internal is open to them, $5 whether all kinds are asked for. Each value is
 * worked out once (`offset 0`), the role of the selected projects only (`x.id`).
 */
export const seenProjects = (
  places: string,
): string => `select p.id, r.role, m.mask, $5::boolean and m.mask = ${EVERYTHING} as whole,
    r.role >= ${Role.Reporter} as trusted
  from (${places}) x join projects p on p.id = x.id and not p.pending_delete join namespaces n on n.id = p.namespace_id
    cross join lateral (select case when $2::boolean then ${Role.Admin} else ${projectRoleSql('$1::bigint', 'x', 'n')} end as role,
      p.visibility = 'public' or p.visibility = 'internal' and $3::boolean as open offset 0) r
    cross join lateral (select ${MASK} as mask offset 0) m
  where r.role > 0 or r.open`;

/** Condition: the project `s` shows its events of this kind. */
export const shows = (kind: string): string => `(s.mask >> (${kind} / 16)) & 1 = 1`;

/**
 * Condition: the event `e` is one that those may see who are no Reporters of the project `s`: about issues that are not confidential, or theirs, about
 * snippets that are open, no internal notes. Of what is gone there is no subject; it is 0 where not all could read it. Scalar subqueries, as `exists`
 * may be turned into a hash of the whole table.
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
