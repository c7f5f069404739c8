import { Injectable } from '@nestjs/common';
import { git, gitTells } from '#core/repositories/git/git.js';
import { GitFailure } from '#core/repositories/git/git-failure.js';
import { MergeRequestHeadsService, type BranchHeads, type Heads } from '../merge-request-heads.service.js';
import { canBeMerged } from '../mergeability.js';
import { MergeRequestRefsService } from './merge-request-refs.service.js';

/** A merge request as its branches are looked up by. */
export interface KnownBranches {
  readonly iid: number;
  readonly projectId: number;
  readonly sourceProjectId: number | null;
  readonly sourceBranch: string;
  readonly targetBranch: string;
  /** Where they were when they were last looked at. */
  readonly headSha: string | null;
  readonly startSha: string | null;
}

/** Where the branches are now, and what that means. */
export interface SeenBranches extends Heads {
  readonly canBeMerged: boolean;
  /** The target has got everything since it was last looked at. */
  readonly isMerged: boolean;
  /** Commits that the source has got since then. */
  readonly addedCommits: number;
}

/** Looks at the branches of merge requests as git has them, and keeps their heads where clients find them. */
@Injectable()
export class LookAtBranchesService {
  constructor(
    private readonly heads: MergeRequestHeadsService,
    private readonly refs: MergeRequestRefsService,
  ) {}

  /** Null when one of the branches is not there, unless the target has got everything before. @throws 400 while the repository of the target moves */
  async look(known: KnownBranches): Promise<SeenBranches | null> {
    const { sourceProjectId, headSha } = known;
    const found = sourceProjectId === null ? null : await this.heads.find({ ...known, sourceProjectId });
    if (found) return this.see(known, found);
    // Whoever brings a branch to its target by hand often removes it at once.
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
    // Of what is merged it stays known what it brought.
    const shown = before === null ? now : await this.heads.compare({ ...found, startSha: before });
    return { ...shown, canBeMerged: false, isMerged: before !== null, addedCommits };
  }
}

/** The former head of the target if it had not got the head of the source, which it has now; else null: an empty merge request is not merged. */
async function formerStart(
  { target, headSha, startSha }: BranchHeads,
  before: string | null,
): Promise<string | null> {
  if (before === null || before === startSha) return null;
  try {
    const hadIt = await gitTells(target.path, ['merge-base', '--is-ancestor', headSha, before]);
    return hadIt ? null : before;
  } catch (error) {
    // What the target was is gone: nobody can tell any more.
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
