import { isoTimeSql } from '#kernel/database/time.sql.js';
import { AUTHOR_COLUMNS, authorJoin, labelsSql } from '#core/issuables/issuable-columns.sql.js';
import { EPIC } from '#core/issuables/issuable-kind.js';

/** Sources of an inherited date: milestones of its issues, and child epics. */
interface Inherited {
  readonly of: 'min' | 'max';
  readonly milestone: 'ms.start_date' | 'ms.due_date';
  readonly fixed: 'start_date_fixed' | 'due_date_fixed';
  readonly isFixed: 'start_date_is_fixed' | 'due_date_is_fixed';
}

const START: Inherited = {
  of: 'min',
  milestone: 'ms.start_date',
  fixed: 'start_date_fixed',
  isFixed: 'start_date_is_fixed',
};
const DUE: Inherited = {
  of: 'max',
  milestone: 'ms.due_date',
  fixed: 'due_date_fixed',
  isFixed: 'due_date_is_fixed',
};

const ofMilestones = ({ of, milestone }: Inherited, epic: string): string =>
  `(select ${of}(${milestone}) from epic_issues ei join issues ii on ii.id = ei.issue_id join milestones ms on ms.id = ii.milestone_id
    where ei.epic_id = ${epic})`;

/** Looked up epic by epic: an `exists` may become a hash of the children of all. */
const HAS_CHILD =
  '(select true from epics c where c.parent_id = any(array[e.id]) order by c.parent_id limit 1)';

/**
 * SQL expression: a child with a fixed date counts with that, regardless of its own children; most epics have
 * none, which ends the recursion.
 */
function inherited(date: Inherited): string {
  const columns = `c.id, c.${date.isFixed} as is_fixed, c.${date.fixed} as day`;
  const below = `with recursive below as (
      select ${columns} from epics c where c.parent_id = e.id
      union all select ${columns} from below b join epics c on c.parent_id = b.id where not b.is_fixed)
    select ${date.of}(case when b.is_fixed then b.day else ${ofMilestones(date, 'b.id')} end) from below b`;
  return `${date.of === 'min' ? 'least' : 'greatest'}(${ofMilestones(date, 'e.id')},
    case when ${HAS_CHILD} then (${below}) end)`;
}

/**
 * SQL expression: the parent epic as JSON of a `ParentRow`, or null; not all readers of the epic may see it.
 */
const PARENT = `(select jsonb_build_object('id', pe.id, 'iid', pe.iid, 'group_id', pe.group_id) from epics pe where pe.id = e.parent_id)`;

/** Tables of `epicColumns`: the epic `e`, its group `n` and its author `a`. */
export const EPIC_FROM = `epics e join namespaces n on n.id = any(array[e.group_id]) ${authorJoin('e')}`;

/** Select list of an `EpicBasicRow`. */
export const EPIC_BASIC_COLUMNS = `e.id, e.iid, e.group_id, e.title, e.description, ${AUTHOR_COLUMNS},
  e.start_date_is_fixed, e.start_date_fixed, ${inherited(START)} as start_date_inherited,
  e.due_date_is_fixed, e.due_date_fixed, ${inherited(DUE)} as due_date_inherited`;

/** Select list of an `EpicRow`. */
export const epicColumns = (withLabelDetails: boolean): string =>
  `${EPIC_BASIC_COLUMNS}, n.full_path, e.confidential, e.state, ${isoTimeSql('e.created_at')} as created_at,
    ${isoTimeSql('e.updated_at')} as updated_at, ${isoTimeSql('e.closed_at')} as closed_at, ${labelsSql(EPIC, withLabelDetails)} as labels,
    e.upvotes, e.downvotes, ${PARENT} as parent`;
