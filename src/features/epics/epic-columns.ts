import { isoTimeSql } from '#kernel/database/time-sql.js';
import { AUTHOR_COLUMNS, authorJoin, labelsSql } from '#core/issuables/issuable-columns.js';
import { EPIC } from '#core/issuables/issuable-kind.js';

/** Of the milestones of the epic's issues. */
const inherited = (of: 'min(ms.start_date)' | 'max(ms.due_date)'): string =>
  `(select ${of} from epic_issues ei join issues ii on ii.id = ei.issue_id join milestones ms on ms.id = ii.milestone_id where ei.epic_id = e.id)`;

/** The tables of `epicColumns`: the epic `e`, its group `n` and its author `a`. */
export const EPIC_FROM = `epics e join namespaces n on n.id = any(array[e.group_id]) ${authorJoin('e')}`;

/** Select list of an `EpicBasicRow`. */
export const EPIC_BASIC_COLUMNS = `e.id, e.iid, e.group_id, e.title, e.description, ${AUTHOR_COLUMNS},
  e.start_date_is_fixed, e.start_date_fixed, ${inherited('min(ms.start_date)')} as start_date_inherited,
  e.due_date_is_fixed, e.due_date_fixed, ${inherited('max(ms.due_date)')} as due_date_inherited`;

/** Select list of an `EpicRow`. */
export const epicColumns = (withLabelDetails: boolean): string =>
  `${EPIC_BASIC_COLUMNS}, n.full_path, e.confidential, e.state, ${isoTimeSql('e.created_at')} as created_at,
    ${isoTimeSql('e.updated_at')} as updated_at, ${isoTimeSql('e.closed_at')} as closed_at, ${labelsSql(EPIC, withLabelDetails)} as labels,
    e.upvotes, e.downvotes`;
