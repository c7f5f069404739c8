import { isoTimeSql } from '#kernel/database/time.sql.js';
import { mayKnowEpicSql } from '#core/issues/exchange/issue-json.sql.js';
import { EPIC } from '#core/issuables/issuable-kind.js';
import { resourceEventPairs } from '#core/issuables/resource-events/exchange/resource-events-json.sql.js';
import { labelLinksJson } from '#core/labels/exchange/label-json.sql.js';
import { emojiJson } from '#core/notes/exchange/emoji.js';
import { notesJson } from '#core/notes/exchange/note-json.sql.js';
import { subscriptionsJson } from '#core/subscriptions/exchange/subscriptions-exchange.js';

const PARENT = `(select json_build_object('id', xp.id, 'iid', xp.iid, 'title', xp.title, 'group_id', xp.group_id)
    from epics xp where xp.id = e.parent_id and ${mayKnowEpicSql('xp')})`;

/**
 * A page of the epics of a group, in the order of ids; ordered by an expression, so that no plan walks the
 * epics of all groups.
 */
export const EPICS_PAGE = `select e.id, json_build_object('id', e.id, 'iid', e.iid, 'group_id', e.group_id, 'title', e.title,
    'description', e.description, 'author_id', e.author_id, 'state', e.state, 'state_id', case e.state when 'opened' then 1 else 2 end,
    'confidential', e.confidential, 'start_date_fixed', e.start_date_fixed, 'start_date_is_fixed', e.start_date_is_fixed,
    'start_date', case when e.start_date_is_fixed then e.start_date_fixed end, 'due_date_fixed', e.due_date_fixed,
    'due_date_is_fixed', e.due_date_is_fixed, 'end_date', case when e.due_date_is_fixed then e.due_date_fixed end,
    'created_at', ${isoTimeSql('e.created_at')}, 'updated_at', ${isoTimeSql('e.updated_at')}, 'closed_at', ${isoTimeSql('e.closed_at')},
    'closed_by_id', e.closed_by_id, 'parent', ${PARENT}, 'relative_position', e.relative_position, 'label_links', ${labelLinksJson('Epic', 'epic_labels', 'epic_id', 'e.id')},
    'award_emoji', ${emojiJson('Epic', 'e.id')}, 'subscriptions', ${subscriptionsJson('Epic', 'e.id')},
    'notes', ${notesJson('Epic', 'e.id')},
    ${resourceEventPairs(EPIC, 'e.id')})::text as json
  from epics e where e.group_id = $1 and e.id > $2 order by (e.id + 0) limit $3`;
