import type { V4Repositories } from './v4-repositories.js';
import type { V4Version } from './v4-version.js';

const EARLY = '2020-03-04T05:06:07.890Z';
const LATE = '2020-04-05T06:07:08.901Z';
const TIMES = { created_at: EARLY, updated_at: LATE };

/** Pipelines: a successful one, a failed one of a merge request, and one that was never continued. */
export function pipelines(
  { hasOldNames }: V4Version,
  { first, fixed, merge }: V4Repositories['commits'],
): readonly object[] {
  const usual = {
    ...{
      ...TIMES,
      before_sha: '0'.repeat(40),
      tag: false,
      yaml_errors: null,
      committed_at: null,
      user_id: 90,
      duration: 42,
    },
    ...{
      started_at: EARLY,
      finished_at: LATE,
      protected: true,
      config_source: 'repository_source',
      notes: [],
      project_id: 41,
    },
    ...{ lock_version: 3, failure_reason: null, pipeline_metadata: null, external_pull_request: null },
  };
  const job = (name: string, status: string, stage_idx: number): object => ({
    ...{
      name,
      status,
      stage_idx,
      ...TIMES,
      started_at: EARLY,
      finished_at: LATE,
      user_id: 91,
      allow_failure: false,
    },
    ...{
      ref: 'main',
      tag: false,
      coverage: null,
      retried: null,
      when: 'on_success',
      options: {},
      yaml_variables: [],
    },
    ...{ description: null, target_url: null, environment: null, erased_at: null, scheduling_type: 'stage' },
    ...(hasOldNames ? { type: 'Ci::Build' } : {}),
  });
  const stage = (
    name: string,
    position: number,
    jobs: readonly object[],
    statuses: readonly object[] = [],
  ): object => ({
    ...{ name, position, status: 3, lock_version: 1, project_id: 41, ...TIMES },
    ...(hasOldNames
      ? { statuses: [...jobs, ...statuses.map((one) => ({ ...one, type: 'GenericCommitStatus' }))] }
      : { builds: jobs, bridges: [], generic_commit_statuses: statuses }),
  });
  const external = {
    ...job('ci/other', 'success', 9),
    target_url: 'https://ci.example.com/1',
    coverage: 87.5,
  };
  return [
    {
      ...{ ...usual, iid: 1, ref: 'main', sha: first, source: 'push', status: 'success' },
      stages: [
        stage('build', 0, [job('compile', 'success', 0)]),
        stage('test', 1, [job('unit', 'success', 1)]),
        stage('external', 9, [], [external]),
      ],
    },
    {
      ...{
        ...usual,
        iid: 2,
        ref: 'refs/merge-requests/1/head',
        sha: fixed,
        source: 'merge_request_event',
        status: 'failed',
      },
      merge_request: { iid: 1, title: 'Fix it' },
      stages: [stage('test', 0, [{ ...job('unit', 'failed', 0), failure_reason: 'script_failure' }])],
    },
    {
      ...{
        ...usual,
        iid: 3,
        ref: 'main',
        sha: merge,
        source: 'ondemand_dast_scan',
        status: 'manual',
        finished_at: null,
        duration: null,
      },
      stages: [
        stage('deploy', 0, [
          { ...job('deploy', 'manual', 0), started_at: null, finished_at: null, when: 'manual' },
        ]),
      ],
    },
  ];
}
