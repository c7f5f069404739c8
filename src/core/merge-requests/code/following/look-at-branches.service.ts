import { Injectable } from '@nestjs/common';
import { git, gitTells } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { MergeRequestHeadsService, type BranchHeads, type Heads } from '../merge-request-heads.service.js';
import { canBeMerged } from '../mergeability.js';
import { MergeRequestRefsService } from './merge-request-refs.service.js';

/** Facts of a merge request by which its branches are checked. */
export interface KnownBranches {
  readonly iid: number;
  readonly projectId: number;
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  /** The head at the last check. */
  readonly headSha: string | null;
  readonly startSha: string | null;
}

/** Result of a check of the branches. */
export interface SeenBranches extends Heads {
  readonly canBeMerged: boolean;
  /** The target now contains everything, which it did not at the last check. */
  readonly isMerged: boolean;
  /** Number of commits added to the source since then. */
  readonly addedCommits: number;
}

/** Checks the branches of merge requests in git, and updates the refs of their heads for clients. */
@Injectable()
export class LookAtBranchesService {
  constructor(
    private readonly heads: MergeRequestHeadsService,
    private readonly refs: MergeRequestRefsService,
  ) {}

  /**
   * Checks both branches; null if one does not exist, unless the target already contained everything. @throws
   * 400 while the target repository moves
   */
  async look(known: KnownBranches): Promise<SeenBranches | null> {
    const { sourceProjectId, headSha } = known;
    const found = sourceProjectId === null ? null : await this.heads.find({ ...known, sourceProjectId });
    if (found) return this.see(known, found);
    // After merging a branch by hand, users often remove it at once.
    const kept = headSha === null ? null : await this.heads.findKept(known, headSha);
    const seen = kept && (await this.see(known, kept));
    return seen?.isMerged ? seen : null;
  }

  private async see(known: KnownBranches, found: BranchHeads): Promise<SeenBranches> {
    await this.refs.follow(known.iid, found);
    const now = await this.heads.compare(found);
    const { path } = found.target;
    const addedCommits = await countAdded(found, known.headSha);
    if (now.baseSha !== now.headSha) {
      const canMerge = await canBeMerged(path, now.startSha, now.headSha, {});
      return { ...now, canBeMerged: canMerge, isMerged: false, addedCommits };
    }
    const before = await formerStart(found, known.startSha);
    // Keep showing what a merged branch contributed.
    const shown = before === null ? now : await this.heads.compare({ ...found, startSha: before });
    return { ...shown, canBeMerged: false, isMerged: before !== null, addedCommits };
  }
}

/**
 * Returns the former head of the target if it did not contain the head of the source; null otherwise: an
 * empty merge request is not merged.
 */
async function formerStart(
  { target, headSha, startSha }: BranchHeads,
  before: string | null,
): Promise<string | null> {
  if (before === null || before === startSha) return null;
  try {
    const hadIt = await gitTells(target.path, ['merge-base', '--is-ancestor', headSha, before]);
    return hadIt ? null : before;
  } catch (error) {
    // The former head of the target no longer exists, so this is unknown.
    if (error instanceof GitFailure && error.reason === 'exit') return null;
    throw error;
  }
}

async function countAdded({ target, headSha }: BranchHeads, before: string | null): Promise<number> {
  if (before === null || before === headSha) return 0;
  try {
    const count = await git(target.path, ['rev-list', '--count', headSha, `^${before}`, '--']);
    return Number(count.toString('latin1').trim());
  } catch (error) {
    if (error instanceof GitFailure && error.reason === 'exit') return 0;
    throw error;
  }
}
