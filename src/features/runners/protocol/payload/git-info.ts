import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { PayloadGitInfo } from './job-payload.records.js';

/** The user name that goes with the token of a job. */
const USER = 'gitlab-ci-token';

/** The URL that the job clones by: it holds its token. */
export function repositoryUrl(base: string, fullPath: string, token: string): string {
  const url = new URL(`${base}/${fullPath}.git`);
  url.username = USER;
  url.password = token;
  return url.toString();
}

/** How the commit of a job is fetched. `byDefault` is the depth where no variable says another. */
export function gitInfo(
  pipeline: Pipeline,
  job: Job,
  repoUrl: string,
  variables: readonly CiVariable[],
  byDefault: number | null,
): PayloadGitInfo {
  const depth = depthOf(variables, byDefault);
  return {
    repo_url: repoUrl,
    ref: job.ref,
    sha: pipeline.sha,
    before_sha: pipeline.beforeSha,
    ref_type: job.tag ? 'tag' : 'branch',
    refspecs: refspecs(pipeline, job, depth),
    depth,
  };
}

/** The ref that holds the commit of a pipeline, whatever becomes of its branch. */
export const pipelineRef = (pipelineId: number): string => `refs/pipelines/${String(pipelineId)}`;

function refspecs({ id, mergeRequestId }: Pipeline, { ref, tag }: Job, depth: number): string[] {
  const own = pipelineRef(id);
  const persistent = `+${own}:${own}`;
  if (depth === 0) return [persistent, '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  // The commit of a merge request may lie in a branch of a fork: its own ref alone has it.
  if (mergeRequestId !== null) return [persistent];
  return [
    persistent,
    tag ? `+refs/tags/${ref}:refs/tags/${ref}` : `+refs/heads/${ref}:refs/remotes/origin/${ref}`,
  ];
}

function depthOf(variables: readonly CiVariable[], byDefault: number | null): number {
  const given = variables.findLast(({ key }) => key === 'GIT_DEPTH')?.value;
  const depth = given === undefined ? (byDefault ?? 0) : Number.parseInt(given, 10);
  return Number.isInteger(depth) && depth > 0 ? Math.min(depth, 1_000_000) : 0;
}
