import type { CiVariable } from '#core/ci/jobs/definition/job-definition.js';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import type { PayloadGitInfo } from './job-payload.record.js';

/** Username for job tokens. */
const USER = 'gitlab-ci-token';

/** Returns the clone URL of a job, with its token. */
export function repositoryUrl(base: string, fullPath: string, token: string): string {
  const url = new URL(`${base}/${fullPath}.git`);
  url.username = USER;
  url.password = token;
  return url.toString();
}

/** Returns how to fetch the commit of a job. `byDefault`: the depth unless a variable sets it. */
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

/** Returns the ref that keeps the commit of a pipeline, even if its branch changes or is removed. */
export const pipelineRef = (pipelineId: number): string => `refs/pipelines/${String(pipelineId)}`;

function refspecs({ id, mergeRequestId }: Pipeline, { ref, tag }: Job, depth: number): string[] {
  const own = pipelineRef(id);
  const persistent = `+${own}:${own}`;
  if (depth === 0) return [persistent, '+refs/heads/*:refs/remotes/origin/*', '+refs/tags/*:refs/tags/*'];
  // The commit of a merge request may be in a fork: only its persistent ref has it.
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
