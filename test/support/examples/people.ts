import { sendAvatar } from '../avatars.js';
import type { ExampleWorld, Made } from './desk.js';

/** A key that no other user has. */
const SSH_KEY =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHsnpOyfLYYLoMZIjN8BM0oFh9qKUCSQDtM8SlyyGAbA ada@example.com';

/** Users, their objects, and their tokens. */
export async function showPeople({ desk, ada, grace, at }: ExampleWorld): Promise<void> {
  const alan = {
    username: 'alan',
    name: 'Alan Turing',
    email: 'alan@example.com',
    force_random_password: true,
  };
  const { body: made } = await desk.shown.post<Made>('/users', {
    ...alan,
    skip_confirmation: true,
    bio: 'Machines',
  });
  await ada.shown.put('/user/status', { emoji: 'coffee', message: 'Back at noon', availability: 'busy' });
  await ada.shown.post('/user/emails', { email: 'lovelace@example.com' });
  await ada.shown.post('/user/keys', { title: 'Laptop', key: SSH_KEY });
  for (const path of ['/user', '/user_counts', '/notification_settings']) await ada.shown.get(path);
  await desk.show('/users?username=ada', `/users/${ada.id}`, `/users/${grace.id}/memberships`);
  await desk.shown.post(`/users/${made.id}/impersonation_tokens`, { name: 'Support', scopes: ['read_user'] });
  await desk.show(`/users/${made.id}/impersonation_tokens`);
  await desk.shown.post(`/users/${made.id}/personal_access_tokens`, { name: 'Backup', scopes: ['read_api'] });
  await ada.shown.get('/personal_access_tokens/self');
  await desk.shown.post(`${at}/access_tokens`, { name: 'Release bot', scopes: ['api'], access_level: 40 });
  await desk.show(`${at}/access_tokens`);
  await desk.shown.post(`${at}/deploy_tokens`, { name: 'Cluster', scopes: ['read_repository'] });
  await desk.show(`${at}/deploy_tokens`);
  await ada.shown.get(`/events?scope=all&target_type=issue`);
}

/** Groups and projects, their members and shares. */
export async function showPlaces({ desk, ada, grace, group, at }: ExampleWorld): Promise<void> {
  const crew = await desk.make('/groups', {
    name: 'Crew',
    path: 'crew',
    parent_id: group,
    visibility: 'public',
  });
  await ada.shown.get(`/groups/${group}/subgroups`);
  await desk.shown.post(`${at}/share`, { group_id: crew.id, group_access: 20 });
  // Only the finished copy is the same each time.
  const { body: fork } = await desk.api.as(grace.token).post<Made>(`${at}/fork`);
  await desk.when(`/projects/${fork.id}`, ({ import_status: status }) => status === 'finished');
  await ada.shown.post(`${at}/star`);
  for (const path of [
    '/namespaces?search=tools',
    '/namespaces/tools/exists',
    `/groups/${group}`,
    `/groups/${group}/members/${ada.id}`,
    `/groups/${group}/notification_settings`,
    `/groups/${group}/notification_settings/preview?event=new_issue`,
    '/projects?order_by=id&sort=asc',
    `${at}/groups`,
    `${at}/starrers`,
    `${at}/notification_settings`,
  ])
    await ada.shown.get(path);
  for (const metric of ['issues_count', 'merge_requests_count', 'new_members_count'])
    await ada.shown.get(`/analytics/group_activity/${metric}?group_path=tools`);
  const { body: alan } = await desk.api.root.get<Made[]>('/users?username=alan');
  await desk.shown.post(`/groups/${crew.id}/members`, { user_id: `${alan[0]?.id}`, access_level: 30 });
  await desk.show(`/projects/${fork.id}/audit_events`, `/groups/${group}/audit_events`);
  await grace.shown.delete(`/projects/${fork.id}`);
  await sendAvatar(ada.shown, 'PUT', '/user/avatar');
}
