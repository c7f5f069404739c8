import { slugOf } from '#core/ci/creation/slug.js';
import { PRODUCT_REVISION, PRODUCT_VERSION } from '#core/instance/version.js';
import type { JobPlace, LockedPipeline, Runner, TakenJob } from './runner-statements.js';

/** The parts of the payload. */
export interface HandedOut {
  readonly runner: Runner;
  readonly job: TakenJob;
  readonly pipeline: LockedPipeline;
  readonly place: JobPlace;
  readonly token: string;
  readonly host: string;
}

interface Variable {
  readonly key: string;
  readonly value: string;
  readonly public: boolean;
  readonly masked: boolean;
  readonly raw?: boolean;
}

const open = (values: Readonly<Record<string, string | number | null>>): Variable[] =>
  Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [{ key, value: String(value), public: true, masked: false, raw: true }]));

/** Returns the payload of a job for a runner, as the product does. */
export function payloadOf(given: HandedOut): object {
  const { runner, job, pipeline, place, token, host } = given;
  const url = new URL(`${host}/${place.full_path}.git`);
  url.username = 'gitlab-ci-token';
  url.password = token;
  const repoUrl = url.toString();
  const ref = `refs/pipelines/${pipeline.id}`;
  return {
    ...{ id: job.id, token, allow_git_fetch: (place.settings['build_git_strategy'] ?? 'fetch') === 'fetch' },
    job_info: {
      ...{ id: job.id, name: job.name, stage: job.stage, project_id: job.project_id, project_name: place.name },
      time_in_queue_seconds: (job.started_at.getTime() - job.queued_at.getTime()) / 1_000,
      project_jobs_running_on_instance_runners_count: place.running >= 5 ? '5+' : String(place.running),
    },
    git_info: {
      ...{ repo_url: repoUrl, ref: job.ref, sha: pipeline.sha, before_sha: pipeline.before_sha, ref_type: job.tag ? 'tag' : 'branch' },
      refspecs: [`+${ref}:${ref}`, job.tag ? `+refs/tags/${job.ref}:refs/tags/${job.ref}` : `+refs/heads/${job.ref}:refs/remotes/origin/${job.ref}`],
      depth: 20,
    },
    runner_info: { timeout: job.timeout, runner_session_url: null },
    variables: [...secrets(runner, token, repoUrl), ...server(host), ...project(given), ...commit(given), ...person(given), ...own(given)],
    steps: [{ name: 'script', script: place.definition.script, timeout: job.timeout, when: 'on_success', allow_failure: false }],
    ...{ hooks: [], image: null, services: [], artifacts: null, cache: [], credentials: [], dependencies: [] },
    features: { trace_sections: true, token_mask_prefixes: ['glpat-', 'glcbt-', 'glrt-'], failure_reasons: REASONS },
    secrets: {},
  };
}

const REASONS = ['unknown_failure', 'script_failure', 'api_failure', 'stuck_or_timeout_failure', 'runner_system_failure', 'missing_dependency_failure', 'runner_unsupported', 'job_execution_timeout', 'image_pull_failure'];

const secrets = (runner: Runner, token: string, repoUrl: string): Variable[] => [
  { key: 'CI_JOB_TOKEN', value: token, public: false, masked: true },
  { key: 'CI_REPOSITORY_URL', value: repoUrl, public: false, masked: false, raw: true },
  { key: 'CI_RUNNER_ID', value: String(runner.id), public: true, masked: false },
  { key: 'CI_RUNNER_DESCRIPTION', value: runner.description, public: true, masked: false },
  { key: 'CI_RUNNER_TAGS', value: JSON.stringify(runner.tags), public: true, masked: false },
];

const known = new Map<string, Variable[]>();

/** The constant part of the payload. */
function server(host: string): Variable[] {
  const made = known.get(host);
  if (made) return made;
  const { hostname, port, protocol, host: name } = new URL(host);
  const [major = '', minor = '', patch = ''] = PRODUCT_VERSION.split('.');
  const values = open({
    ...{ CI: 'true', GITLAB_CI: 'true', CI_SERVER: 'yes', CI_SERVER_URL: host, CI_SERVER_HOST: hostname, CI_SERVER_FQDN: name, CI_SERVER_PORT: port },
    ...{ CI_SERVER_PROTOCOL: protocol.replace(':', ''), CI_SERVER_NAME: 'Forgeplane', CI_SERVER_VERSION: PRODUCT_VERSION, CI_SERVER_VERSION_MAJOR: major },
    ...{ CI_SERVER_VERSION_MINOR: minor, CI_SERVER_VERSION_PATCH: patch, CI_SERVER_REVISION: PRODUCT_REVISION, CI_API_V4_URL: `${host}/api/v4` },
  });
  known.set(host, values);
  return values;
}

const project = ({ place, job, host }: HandedOut): Variable[] =>
  open({
    ...{ CI_PROJECT_ID: job.project_id, CI_PROJECT_NAME: place.path, CI_PROJECT_TITLE: place.name, CI_PROJECT_DESCRIPTION: place.description ?? '' },
    ...{ CI_PROJECT_PATH: place.full_path, CI_PROJECT_PATH_SLUG: slugOf(place.full_path), CI_PROJECT_NAMESPACE: place.namespace_path },
    ...{ CI_PROJECT_NAMESPACE_ID: place.namespace_id, CI_PROJECT_ROOT_NAMESPACE: place.namespace_path.split('/')[0] ?? '' },
    ...{ CI_PROJECT_URL: `${host}/${place.full_path}`, CI_PROJECT_VISIBILITY: place.visibility, CI_DEFAULT_BRANCH: place.default_branch, CI_CONFIG_PATH: '.gitlab-ci.yml' },
  });

const commit = ({ pipeline, job, place, host }: HandedOut): Variable[] =>
  open({
    ...{ CI_COMMIT_SHA: pipeline.sha, CI_COMMIT_SHORT_SHA: pipeline.sha.slice(0, 8), CI_COMMIT_BEFORE_SHA: pipeline.before_sha, CI_COMMIT_REF_NAME: job.ref },
    ...{ CI_COMMIT_REF_SLUG: slugOf(job.ref), CI_COMMIT_BRANCH: job.tag ? null : job.ref, CI_COMMIT_TAG: job.tag ? job.ref : null },
    ...{ CI_COMMIT_REF_PROTECTED: String(pipeline.protected), CI_COMMIT_MESSAGE: '', CI_COMMIT_TITLE: '', CI_COMMIT_DESCRIPTION: '' },
    ...{ CI_PIPELINE_ID: pipeline.id, CI_PIPELINE_IID: pipeline.iid, CI_PIPELINE_SOURCE: pipeline.source, CI_PIPELINE_CREATED_AT: pipeline.created_at.toISOString() },
    ...{ CI_PIPELINE_URL: `${host}/${place.full_path}/-/pipelines/${pipeline.id}`, CI_OPEN_MERGE_REQUESTS: place.requests.join(',') || null },
  });

const person = ({ place }: HandedOut): Variable[] =>
  open({ GITLAB_USER_ID: place.user_id, GITLAB_USER_LOGIN: place.username, GITLAB_USER_NAME: place.user_name, GITLAB_USER_EMAIL: place.email });

const own = ({ job, place, host }: HandedOut): Variable[] =>
  open({
    ...{ CI_JOB_ID: job.id, CI_JOB_URL: `${host}/${place.full_path}/-/jobs/${job.id}`, CI_JOB_NAME: job.name, CI_JOB_NAME_SLUG: slugOf(job.name) },
    ...{ CI_JOB_STAGE: job.stage, CI_JOB_STARTED_AT: job.started_at.toISOString(), CI_JOB_TIMEOUT: job.timeout, CI_NODE_TOTAL: 1 },
  });
