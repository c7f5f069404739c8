import { Injectable } from '@nestjs/common';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '#core/repositories/git/git.js';
import {
  writingTo,
  type ObjectEnvironment,
  type ObjectDirectory,
} from '#core/repositories/objects/quarantine.js';
import { repositoryReadOnly } from '#core/repositories/pushes/push-errors.js';
import { readRefIds } from '#core/repositories/pushes/ref-ids.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import type { BranchHeads } from '../merge-request-heads.service.js';

/** Copying the objects of a large fork takes time. */
const COPY_TIMEOUT_MS = 600_000;

/**
 * Name of the ref in the target repository for the head of a merge request; clients may fetch it, but not
 * push it.
 */
export const headRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** Name of the ref for the result of a merge. */
export const mergeRef = (iid: number): string => `refs/merge-requests/${iid}/merge`;

/** Keeps the code of merge requests in their target repositories. */
@Injectable()
export class MergeRequestRefsService {
  constructor(private readonly running: RunningPushesService) {}

  /**
   * Points the ref of a merge request to the head of its source, and copies the objects to the target.
   * @throws 400 while it moves
   */
  async follow(iid: number, heads: BranchHeads): Promise<void> {
    const ref = headRef(iid);
    const { source, target, headSha, env } = heads;
    if ((await readRefIds(target.path, [ref])).get(ref) === headSha) return;
    await this.whileWritable(target, async () => {
      if (source.path !== target.path) await copyObjects({ path: target.path, env: {} }, headSha, env);
      await git(target.path, ['update-ref', ref, headSha]);
    });
  }

  /**
   * Runs `work` while no storage move can start, for changes that do not concern pushers. @throws 400 while
   * it moves
   */
  whileWritable<T>(repository: OpenRepository, work: () => Promise<T>): Promise<T> {
    return this.running.whileWritable(repository, work, () => {
      throw repositoryReadOnly();
    });
  }
}

/**
 * Packs the objects of a commit that the repository sees only through `others` and that its refs do not
 * reach, into a directory for new objects.
 */
export async function copyObjects(
  { path, env }: ObjectDirectory,
  commit: string,
  others: ObjectEnvironment,
): Promise<void> {
  const into = env['GIT_OBJECT_DIRECTORY'];
  const objects = into ?? join(path, 'objects');
  await mkdir(join(objects, 'pack'), { recursive: true });
  const known = await git(path, ['for-each-ref', '--format=^%(objectname)']);
  await git(path, ['pack-objects', '--revs', '--quiet', '--non-empty', join(objects, 'pack/pack')], {
    env: into === undefined ? others : writingTo(into, path, others),
    input: `${commit}\n${known.toString('latin1')}`,
    timeoutMs: COPY_TIMEOUT_MS,
    kind: 'long',
  });
}
