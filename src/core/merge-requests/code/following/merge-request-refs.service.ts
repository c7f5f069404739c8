import { Injectable } from '@nestjs/common';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { git } from '#core/repositories/git/git.js';
import {
  writingTo,
  type ObjectEnvironment,
  type ObjectPlace,
} from '#core/repositories/objects/quarantine.js';
import { repositoryReadOnly } from '#core/repositories/pushes/push-errors.js';
import { readRefIds } from '#core/repositories/pushes/ref-ids.js';
import { RunningPushesService } from '#core/repositories/pushes/running-pushes.service.js';
import type { OpenRepository } from '#core/repositories/repositories.service.js';
import type { BranchHeads } from '../merge-request-heads.service.js';

/** Objects of a large fork take their time. */
const COPY_TIMEOUT_MS = 600_000;

/** The ref in the target's repository that keeps the head of a merge request; clients may fetch it, nobody pushes it. */
export const headRef = (iid: number): string => `refs/merge-requests/${iid}/head`;

/** The ref of what a merge request would be merged to. */
export const mergeRef = (iid: number): string => `refs/merge-requests/${iid}/merge`;

/** Keeps the code of merge requests in the repositories of their targets. */
@Injectable()
export class MergeRequestRefsService {
  constructor(private readonly running: RunningPushesService) {}

  /** Lets the ref of a merge request name the head of its source, whose objects the target has from then on. @throws 400 while it moves */
  async follow(iid: number, heads: BranchHeads): Promise<void> {
    const ref = headRef(iid);
    const { source, target, headSha, env } = heads;
    if ((await readRefIds(target.path, [ref])).get(ref) === headSha) return;
    await this.whileWritable(target, async () => {
      if (source.path !== target.path) await copyObjects({ path: target.path, env: {} }, headSha, env);
      await git(target.path, ['update-ref', ref, headSha]);
    });
  }

  /** Changes a repository while no move does, in a way that concerns nobody who pushes. @throws 400 while it moves */
  whileWritable<T>(repository: OpenRepository, work: () => Promise<T>): Promise<T> {
    return this.running.whileWritable(repository, work, () => {
      throw repositoryReadOnly();
    });
  }
}

/** Packs what the refs of a repository do not reach of a commit that it only sees (under `others`) into a place for its objects. */
export async function copyObjects(
  { path, env }: ObjectPlace,
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
