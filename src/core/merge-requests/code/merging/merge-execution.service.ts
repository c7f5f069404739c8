import { Injectable, Logger } from '@nestjs/common';
import type { Role } from '#kernel/access/roles.js';
import { HttpError } from '#kernel/http/errors.js';
import { peel } from '#core/repositories/git/resolve.js';
import { gitTells } from '#core/repositories/git/git.js';
import { AuthorsQueries } from '#core/repositories/pushes/authors.queries.js';
import {
  RepositoryWritesService,
  type BuildChanges,
} from '#core/repositories/pushes/repository-writes.service.js';
import { BRANCHES } from '#core/repositories/refs/read-refs.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { branchCannotBeMerged, buildMerge, type MergePlan } from './build-merge.js';
import { MergeLockService, type Locked } from './merge-lock.service.js';
import { MergeMessagesService, type GivenMessages } from './messages/merge-messages.service.js';
import { MergeableQueries, type MergeableMergeRequest } from './mergeable.queries.js';

/** User and options of a merge. */
export interface MergeOptions extends GivenMessages {
  readonly userId: number;
  /** Role in the target project; Admin for administrators. */
  readonly role: Role;
  /** Null for the choice of the merge request. */
  readonly squash: boolean | null;
  readonly shouldRemoveSourceBranch: boolean | null;
  /** As in `MergeLock`. */
  readonly isAutomatic?: boolean;
}

/** Returns whether the commits are squashed, by the rule of the project. */
export function isSquashed({ settings, squash }: MergeableMergeRequest, wanted: boolean | null): boolean {
  if (settings.squash_option === 'always') return true;
  return settings.squash_option !== 'never' && (wanted ?? squash);
}

/** Merges the code of merge requests: locks the state, lets git merge, then records the result. */
@Injectable()
export class MergeExecutionService {
  private readonly logger = new Logger(MergeExecutionService.name);

  constructor(
    private readonly repositories: RepositoriesService,
    private readonly writes: RepositoryWritesService,
    private readonly authors: AuthorsQueries,
    private readonly messages: MergeMessagesService,
    private readonly queries: MergeableQueries,
    private readonly locks: MergeLockService,
  ) {}

  /**
   * Merges a merge request. @throws 409 if it changes in the meantime, 422 if the branches conflict, 400 with
   * the text of the push rule that rejects it
   */
  async execute(mergeRequest: MergeableMergeRequest, options: MergeOptions): Promise<void> {
    const squash = isSquashed(mergeRequest, options.squash);
    const locked = await this.locks.lock(mergeRequest, { ...options, squash });
    try {
      await this.bring(mergeRequest, options, squash, locked);
    } catch (error) {
      // These errors mean that nothing has changed; after others, look up the result in git.
      if (error instanceof HttpError && error.status < 500) await this.locks.release(locked, error);
      else
        await this.recover(locked, options.isAutomatic).catch((reason: unknown) => {
          this.logger.error(`Merge request ${mergeRequest.id} will be recovered later: ${String(reason)}`);
        });
      throw error;
    }
    await this.locks.finish(locked);
  }

  /** Ends a merge whose progress is unknown; `isTriedAgain`: auto-merge stays, as its job runs again. */
  async recover(locked: Locked, isTriedAgain = false): Promise<void> {
    const isMerged = await this.isInTarget(locked.id);
    this.logger.warn(
      `The merge of merge request ${locked.id} was interrupted: it is ${isMerged ? 'merged' : 'open again'}`,
    );
    if (isMerged) await this.locks.finish(locked);
    else await this.locks.release(locked, null, isTriedAgain);
  }

  /** Returns whether the target contains the merge. */
  private async isInTarget(id: number): Promise<boolean> {
    const planned = await this.queries.byId(id);
    const commit = planned && (planned.mergeCommitSha ?? planned.squashCommitSha ?? planned.headSha);
    if (!planned || !commit) return false;
    const repository = await this.repositories.openOrNull(projectRepository(planned.projectId));
    const now = repository && (await peel(repository.path, BRANCHES + planned.targetBranch));
    if (!now || (await peel(repository.path, commit)) === null) return false;
    return gitTells(repository.path, ['merge-base', '--is-ancestor', commit, now]);
  }

  private async bring(
    mergeRequest: MergeableMergeRequest,
    options: MergeOptions,
    squash: boolean,
    locked: Locked,
  ): Promise<void> {
    const { projectId, targetBranch, headSha } = mergeRequest;
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    if (!repository || headSha === null) throw branchCannotBeMerged();
    const { path } = repository;
    const plan = await this.plan(path, mergeRequest, options, squash);
    const pusher = { userId: options.userId, role: options.role, via: 'merge' } as const;
    const ref = BRANCHES + targetBranch;
    const build: BuildChanges = async (quarantine) => {
      const before = await peel(path, ref);
      if (before === null) throw branchCannotBeMerged();
      const built = await buildMerge(await quarantine.directory(), before, plan);
      await this.locks.plan(locked, built);
      return [{ ref, before, after: built.after }];
    };
    await this.writes.change(repository, pusher, build, { builtOn: ref });
  }

  private async plan(
    path: string,
    mergeRequest: MergeableMergeRequest,
    options: MergeOptions,
    squash: boolean,
  ): Promise<MergePlan> {
    const { authorId, headSha, settings } = mergeRequest;
    const committer = await this.authors.of(options.userId);
    const author = authorId === null ? committer : await this.authors.of(authorId);
    const messages = await this.messages.write(path, mergeRequest, committer, options);
    return { ...messages, method: settings.merge_method, squash, headSha: headSha ?? '', committer, author };
  }
}
