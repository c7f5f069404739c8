/**
 * SQL for the number of followers of a user, or of users that the user follows, as their lists show them. `reader`: condition
 * for a reader who also sees the private profile `fu`.
 */
export function followsSql(user: string, list: 'followers' | 'following', reader = 'false'): string {
  const [here, there] =
    list === 'followers' ? ['followee_id', 'follower_id'] : ['follower_id', 'followee_id'];
  return `(select count(*) from user_follows f join users fu on fu.id = f.${there}
    where f.${here} = ${user}.id and not fu.pending_delete and (not fu.private_profile or ${reader}))`;
}
