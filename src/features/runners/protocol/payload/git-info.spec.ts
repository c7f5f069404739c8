import { describe, expect, it } from '@jest/globals';
import type { Job } from '#core/ci/jobs/job.entity.js';
import type { Pipeline } from '#core/ci/pipelines/pipeline.entity.js';
import { gitInfo } from './git-info.js';

const refspecsOf = (mergeRequestId: number | null, ref: string, depth: number): readonly string[] => {
  const pipeline = { id: 7, sha: 'a', beforeSha: 'b', mergeRequestId } as Pipeline;
  return gitInfo(pipeline, { ref, tag: false } as Job, 'http://host/a.git', [], depth).refspecs;
};

describe('the refs that a job fetches', () => {
  it('are its own commit and its branch', () => {
    expect(refspecsOf(null, 'main', 20)).toEqual([
      '+refs/pipelines/7:refs/pipelines/7',
      '+refs/heads/main:refs/remotes/origin/main',
    ]);
  });

  it('are only its own commit for a merge request, which need not be on a branch of the project', () => {
    expect(refspecsOf(3, 'refs/merge-requests/3/head', 20)).toEqual(['+refs/pipelines/7:refs/pipelines/7']);
    expect(refspecsOf(3, 'refs/merge-requests/3/head', 0)).toHaveLength(3);
  });
});
