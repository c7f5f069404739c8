/** Limit of mails to a user about a project or group per day: more indicates a malfunction. */
const DAILY_LIMIT = 1_000;
/** Limit of those about the actions of one user: one user cannot use up the mails about the actions of others. */
const ACTOR_LIMIT = 800;

/**
 * SQL that adds the notifications of an event, once for each user and up to the limits, and returns their ids;
 * values: id and facts of the event, type and id of its target, project and group, and the recipients. Users
 * who are removed from a description and mentioned again are notified once a day. The rows of the last day are
 * a range of an index: those of a user are kept for a year.
 */
export function addNotificationsSql(isOfProject: boolean): string {
  const ofContainer = isOfProject
    ? 's.project_id = $5::bigint'
    : 's.project_id is null and s.group_id = $6::bigint';
  return `insert into sent_notifications (unsubscribe_key, event_id, event, user_id, reason, target_type, target_id, project_id, group_id)
  select given.key, $1, $2::jsonb, given.user_id, given.reason, $3::text, $4::bigint, $5::bigint, $6::bigint
  from jsonb_to_recordset($7::jsonb) given(key text, user_id bigint, reason text)
  where (select count(*) < ${DAILY_LIMIT}
      and count(*) filter (where today.event ->> 'actorId' = $2::jsonb ->> 'actorId') < ${ACTOR_LIMIT}
      and count(*) filter (where today.event ->> 'kind' = 'mentioned' and $2::jsonb ->> 'kind' = 'mentioned'
        and today.event_id <> $1 and today.target_type = $3::text and today.target_id = $4::bigint) = 0
    from (select s.event, s.event_id, s.target_type, s.target_id from sent_notifications s where s.user_id = given.user_id and ${ofContainer}
      and s.created_at > now() - interval '24 hours' limit ${DAILY_LIMIT}) today)
  on conflict (event_id, user_id) do nothing returning id`;
}
