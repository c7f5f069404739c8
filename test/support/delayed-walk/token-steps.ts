import type { Answer } from '../client.js';
import type { DelayedWorld } from './delayed-world.js';

const ROLES = [0, 20, 30, 30, 40];

/** Blocks or unblocks a user, or changes a role in one of both projects, or whom the other project admits. */
export async function changeRights(world: DelayedWorld): Promise<void> {
  const { chance, model, api } = world;
  if (chance.oneIn(3)) return changeList(world);
  const person = chance.of([...model.people.values()]);
  if (chance.oneIn(3)) {
    person.isBlocked = !person.isBlocked;
    const action = person.isBlocked ? 'block' : 'unblock';
    world.assert(`${action} ${person.id}`, await api.root.post(`/users/${person.id}/${action}`), 201);
    return;
  }
  const isElsewhere = chance.oneIn(3);
  const members = `${isElsewhere ? `/projects/${world.otherId}` : world.at()}/members`;
  const former = isElsewhere ? person.roleElsewhere : person.role;
  const role = chance.of(ROLES);
  if (role === former) return;
  const body = { user_id: person.id, access_level: role };
  const what = `${person.id} becomes ${role} in ${members}`;
  if (role === 0) world.assert(what, await api.root.delete(`${members}/${person.id}`), 204);
  else if (former === 0) world.assert(what, await api.root.post(members, body), 201);
  else world.assert(what, await api.root.put(`${members}/${person.id}`, body), 200);
  if (isElsewhere) person.roleElsewhere = role;
  else person.role = role;
}

async function changeList(world: DelayedWorld): Promise<void> {
  const { chance, model, api, otherId, ci } = world;
  const path = `/projects/${otherId}/job_token_scope`;
  if (chance.oneIn(2)) {
    model.isListKept = !model.isListKept;
    const answer = await api.root.send('PATCH', path, { enabled: model.isListKept });
    world.assert(`list kept: ${model.isListKept}`, answer, 204);
    return;
  }
  model.isListed = !model.isListed;
  const answer = model.isListed
    ? await api.root.post(`${path}/allowlist`, { target_project_id: ci.project.id })
    : await api.root.delete(`${path}/allowlist/${ci.project.id}`);
  world.assert(`listed: ${model.isListed}`, answer, 201, 204);
}

/** Sends the token of a job that runs, or ran. */
export async function useToken(world: DelayedWorld): Promise<void> {
  const { chance, model, api } = world;
  const all = [...model.jobs.values()].filter(({ token }) => token !== null);
  if (all.length === 0) return;
  const running = all.filter(({ status }) => status === 'running');
  const job = chance.of(running.length > 0 && !chance.oneIn(3) ? running : all);
  const { role = 0, roleElsewhere = 0 } = model.people.get(job.userId) ?? {};
  const isReached = !model.isListKept || model.isListed;
  const there = isReached ? roleElsewhere : 0;
  const send = (method: string, path: string, body?: unknown): Promise<Answer> =>
    api.anonymous.send(method, path, body, { 'JOB-TOKEN': job.token ?? '' });
  const target = chance.of([...model.jobs.values()]);
  const isTarget = target.status !== 'gone' && role >= 20;
  const uses: readonly (readonly [
    method: string,
    path: string,
    running: number,
    over: number,
    body?: unknown,
  ])[] = [
    ['GET', '/job', 200, 401],
    ['GET', world.at('/environments'), seen(role), 401],
    ['GET', world.at('/deployments'), seen(role), 401],
    ['POST', world.at('/environments'), changed(role), 401, { name: `by-${job.id}-${world.log.length}` }],
    ['GET', `/projects/${world.otherId}/environments`, seen(there), 401],
    [
      'POST',
      `/projects/${world.otherId}/environments`,
      changed(there),
      401,
      { name: `by-${job.id}-${world.log.length}` },
    ],
    ['GET', world.at(`/jobs/${target.id}/artifacts`), 404, 401],
    ['GET', `/jobs/${target.id}/artifacts`, isTarget ? 404 : 403, 401],
    ['GET', world.at(), 401, 401],
    ['POST', world.at(`/jobs/${target.id}/play`), 401, 401],
    ['PUT', `/jobs/${job.id}`, 200, 403, { state: 'running' }],
    ['PUT', `/jobs/${job.id}`, 200, 403, { state: 'running', token: job.token }],
  ];
  const [method, path, whileRunning, over, body] = chance.of(uses);
  const expected = job.status === 'running' ? whileRunning : over;
  const what = `token of ${job.id} (${job.status}) of ${job.userId} (${role}, ${roleElsewhere}): ${method} ${path}`;
  world.assert(what, await send(method, path, body), expected);
}

const seen = (role: number): number => (role === 0 ? 404 : 200);
const changed = (role: number): number => (role >= 30 ? 201 : role === 0 ? 404 : 403);
