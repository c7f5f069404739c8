import { Injectable } from '@nestjs/common';
import type { JobDefinition, JsonObject } from '#kernel/queue/job-definition.js';
import { MoveRetriesService } from '../effects/move-retries.service.js';
import { git } from '../git/git.js';
import { resolveCommits } from '../git/resolve.js';
import { RunningPushesService } from '../pushes/running-pushes.service.js';
import { RepositoriesService } from '../repositories.service.js';
import { projectRepository } from '../repository-ref.js';

/** The job to enqueue again for a later change. */
interface Later<P extends JsonObject> {
  readonly job: JobDefinition<P>;
  readonly payload: P;
  readonly delayMs?: number;
}

/** A ref to create, with its commit. */
export interface WantedRef {
  readonly ref: string;
  readonly commit: string;
}

/** Changes the internal refs in the repositories of projects; like pushes, not during a storage move. */
@Injectable()
export class OwnRefsService {
  constructor(
    private readonly repositories: RepositoriesService,
    private readonly running: RunningPushesService,
    private readonly retries: MoveRetriesService,
  ) {}

  /**
   * Runs `work` on the repository of a project, if it exists; during a storage move enqueues the job again.
   */
  async change<P extends JsonObject>(
    projectId: number,
    { job, payload, delayMs }: Later<P>,
    work: (path: string) => Promise<void>,
  ): Promise<void> {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository) return;
    const later = (): Promise<void> => this.retries.again(job, payload, delayMs);
    await this.running.whileWritable(repository, () => work(repository.path), later);
  }
}

/** Creates refs with two git processes for any number of them; skips missing commits. */
export async function makeRefs(path: string, wanted: readonly WantedRef[]): Promise<void> {
  const found = await resolveCommits(
    path,
    wanted.map(({ commit }) => commit),
  );
  const there = wanted.filter(({ commit }, at) => found[at] === commit);
  const input = there.map(({ ref, commit }) => `update ${ref}\0${commit}\0\0`).join('');
  if (input !== '') await git(path, ['update-ref', '-z', '--stdin'], { input });
}
