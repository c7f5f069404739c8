import { randomBytes } from 'node:crypto';
import type { LoadRequest } from './load.js';
import { codeWrites } from './writes-code.js';
import { intakeWrites } from './writes-intake.js';
import { postAll, type WritesWorld } from './writes-world.js';

/** One kind of write to measure. */
export interface Write {
  readonly what: string;
  /** At most that many milliseconds of CPU, where there is a bar. */
  readonly bar?: string;
  /** Whether the reference for writes does it too. */
  readonly isCompared?: true;
  /** That many requests, each good for one time; what they need is there then. */
  make(count: number): LoadRequest[] | Promise<LoadRequest[]>;
}

const ROWS = 100_000;

/** A deployment of a commit that was not deployed before. */
export const newDeployment = (status: string): object => ({ environment: 'production', sha: randomBytes(20).toString('hex'), ref: 'main', tag: false, status });

/** The most used writes. */
export function writesOf(world: WritesWorld): Write[] {
  return [...deploymentWrites(world), ...planningWrites(world), ...projectWrites(world), ...codeWrites(world), ...intakeWrites(world)];
}

function deploymentWrites(world: WritesWorld): Write[] {
  const { client, projectId } = world;
  const path = `/api/v4/projects/${projectId}/deployments`;
  const create = (count: number): LoadRequest[] => world.times(count, () => world.post(path, newDeployment('success')));
  return [
    { what: 'create a deployment', bar: '<= 4', isCompared: true, make: create },
    {
      what: 'create a deployment in a project with code',
      bar: '<= 4',
      make: (count) => world.times(count, () => world.post(`/api/v4/projects/${world.codeId}/deployments`, { ...newDeployment('success'), sha: world.sha })),
    },
    { what: 'create a deployment that runs', bar: '<= 4', make: (count) => world.times(count, () => world.post(path, newDeployment('running'))) },
    {
      what: 'update a deployment',
      make: async (count) => {
        const ids = await postAll(world, world.times(count, () => world.post(path, newDeployment('running'))));
        return ids.map(({ id }) => world.put(`${path}/${id}`, { status: 'success' }));
      },
    },
    {
      what: `create a deployment among ${ROWS.toLocaleString('en')}`,
      bar: '<= 4',
      make: async (count) => {
        await client.query(
          `insert into deployments (project_id, environment_id, iid, user_id, ref, sha, tag, status, finished_at, created_at, updated_at)
           select $1, e.id, 10000 + i, 100, 'main', md5(i::text) || '01234567', false, 'success', t.at, t.at, t.at
           from environments e, generate_series(1, $2::int) i, lateral (select now() - i * interval '1 minute' as at) t where e.project_id = $1 and e.name = 'production'`,
          [projectId, ROWS],
        );
        await client.query(`update internal_ids set last_value = 20000 + $2, live_count = live_count + $2 where project_id = $1 and usage = 'deployments'`, [projectId, ROWS]);
        return create(count);
      },
    },
  ];
}

function planningWrites(world: WritesWorld): Write[] {
  const { projectId, colleague } = world;
  const issues = `/api/v4/projects/${projectId}/issues`;
  const issue = (index: number): object => ({ title: `Pages load slowly ${index}`, description: 'Since Monday' });
  const create = (count: number): LoadRequest[] => world.times(count, (index) => world.post(issues, issue(index)));
  const changing = (body: object) => async (count: number): Promise<LoadRequest[]> =>
    (await postAll(world, create(count))).map(({ iid }) => world.put(`${issues}/${iid}`, body));
  const noting = (body: string) => async (count: number): Promise<LoadRequest[]> => {
    const [made] = await postAll(world, create(1));
    return world.times(count, (index) => world.post(`${issues}/${made?.iid}/notes`, { body: `${body} ${index}` }));
  };
  return [
    { what: 'create an issue', bar: '<= 4', make: create },
    {
      what: 'create an issue, two labels, assignee',
      isCompared: true,
      make: (count) => world.times(count, (index) => world.post(issues, { ...issue(index), labels: 'bug,search', assignee_ids: [colleague.id] })),
    },
    { what: 'update an issue', make: changing({ title: 'Pages load fast' }) },
    { what: 'close an issue', isCompared: true, make: changing({ state_event: 'close' }) },
    { what: 'create a note', bar: '<= 4', make: noting('One more word') },
    { what: 'create a note with a mention', isCompared: true, make: noting(`One more word, @${colleague.username}`) },
  ];
}

function projectWrites(world: WritesWorld): Write[] {
  const project = `/api/v4/projects/${world.projectId}`;
  const creating = (path: string, body: (index: number) => object) => (count: number): LoadRequest[] =>
    world.times(count, (index) => world.post(`${project}/${path}`, body(index)));
  return [
    { what: 'create a label', make: creating('labels', (index) => ({ name: `label ${index}`, color: '#aabbcc' })) },
    { what: 'create a milestone', make: creating('milestones', (index) => ({ title: `1.${index}` })) },
    { what: 'add a member', make: creating('members', (index) => ({ user_id: 200 + index, access_level: 30 })) },
    { what: 'create an environment', make: creating('environments', (index) => ({ name: `review/${index}` })) },
    { what: 'create a variable', make: creating('variables', (index) => ({ key: `KEY_${index}`, value: 'a value' })) },
  ];
}
