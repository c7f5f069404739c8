import type { LoadRequest } from './load.js';
import type { Write } from './writes-requests.js';
import { postAll, type WritesWorld } from './writes-world.js';

const DEFINITION = {
  ...{ beforeScript: [], script: ['echo'], afterScript: [], image: null, services: [], variables: [], artifacts: null, cache: [] },
  ...{ needs: null, dependencies: null, environment: null, allowFailureExitCodes: null, retry: { max: 0, when: [] }, timeout: null },
  ...{ startIn: null, coverage: null, interruptible: false, resourceGroup: null, parallel: null, preGetSourcesScript: [], trigger: null },
  manualConfirmation: null,
};

/** Writes of a project with a repository: merge requests, pipelines, jobs. */
export function codeWrites(world: WritesWorld): Write[] {
  const { codeId, sha, runnerToken } = world;
  const project = `/api/v4/projects/${codeId}`;
  const branches = async (count: number, prefix: string): Promise<string[]> => {
    const names = world.times(count, (index) => `${prefix}-${index}`);
    await postAll(world, names.map((branch) => world.post(`${project}/repository/branches`, { branch, ref: sha })));
    return names;
  };
  const requestJob = (): LoadRequest => world.post('/api/v4/jobs/request', { token: runnerToken, info: { executor: 'shell', features: {} } });
  return [
    {
      what: 'create a merge request',
      make: async (count) =>
        (await branches(count, 'change')).map((source) => world.post(`${project}/merge_requests`, { source_branch: source, target_branch: 'main', title: `Change ${source}` })),
    },
    {
      what: 'create a note on a merge request',
      make: async (count) => {
        const [source] = await branches(1, 'noted');
        const [made] = await postAll(world, [world.post(`${project}/merge_requests`, { source_branch: source, target_branch: 'main', title: 'Noted' })]);
        return world.times(count, (index) => world.post(`${project}/merge_requests/${made?.iid}/notes`, { body: `One more word ${index}` }));
      },
    },
    {
      what: 'set a commit status',
      isCompared: true,
      make: (count) => world.times(count, (index) => world.post(`${project}/statuses/${sha}`, { state: 'success', name: `check ${index % 5}`, ref: 'main' })),
    },
    { what: 'create a pipeline', make: (count) => world.times(count, () => world.post(`${project}/pipeline`, { ref: 'main' })) },
    {
      what: 'a runner takes a job',
      isCompared: true,
      make: async (count) => {
        await addJobs(world, count);
        return world.times(count, requestJob);
      },
    },
    {
      what: 'a runner finishes a job',
      isCompared: true,
      make: async (count) => {
        await addJobs(world, count);
        const jobs = await postAll(world, world.times(count, requestJob));
        return jobs.map(({ id, token }) => world.put(`/api/v4/jobs/${id}`, { token, state: 'success' }));
      },
    },
  ];
}

/** Creates jobs that wait for a runner, each in its own pipeline; removes those that waited before. */
async function addJobs({ client, codeId, sha }: WritesWorld, count: number): Promise<void> {
  await client.query('delete from ci_pending_jobs');
  await client.query(
    `with made as (insert into ci_pipelines (project_id, iid, ref, sha, source, status, user_id)
       select $1, (select coalesce(max(iid), 0) from ci_pipelines where project_id = $1) + n, 'main', $2, 'push', 'pending', 1 from generate_series(1, $3::int) n returning id, project_id),
     jobs as (insert into ci_jobs (project_id, pipeline_id, kind, name, stage, stage_index, status, user_id, ref, queued_at)
       select project_id, id, 'build', 'job', 'test', 0, 'pending', 1, 'main', now() from made returning id, project_id),
     defined as (insert into ci_job_definitions (job_id, definition) select id, $4::jsonb from jobs)
     insert into ci_pending_jobs (job_id, project_id, protected, tag_list) select id, project_id, false, '{}' from jobs`,
    [codeId, sha, count, JSON.stringify(DEFINITION)],
  );
}
