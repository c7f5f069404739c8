import { Injectable } from '@nestjs/common';
import { findMergeBase } from '#core/repositories/commits/comparing.js';
import { peel } from '#core/repositories/git/resolve.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { BRANCHES } from '#core/repositories/refs/read-refs.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { countChanges } from './count-changes.js';
import { seeingObjectsOf } from './object-places.js';
import { readWork } from './read-work.js';

/** Which branch is to be brought into which. */
export interface MergeRequestBranches {
  readonly sourceProjectId: number;
  readonly sourceBranch: string;
  readonly projectId: number;
  readonly targetBranch: string;
}

/** Where the two branches are, and how they have parted. */
export interface Heads {
  /** Head of the source branch. */
  readonly headSha: string;
  /** The merge base; null for branches that have nothing in common. */
  readonly baseSha: string | null;
  /** Head of the target branch. */
  readonly startSha: string;
  /** Number of changed files, "1000+" beyond; null when nothing has changed. */
  readonly changesCount: string | null;
  /** Of those who have committed what lies between, in small letters; null where that cannot be told. */
  readonly committerEmails: readonly string[] | null;
  /** Of the newest commits between. */
  readonly messages: string;
}

/** Both branches with the repositories they lie in. */
export interface BranchHeads {
  readonly source: OpenRepository;
  readonly target: OpenRepository;
  readonly headSha: string;
  readonly startSha: string;
  /** Environment under which git sees the objects of both in the repository of the target. */
  readonly env: Readonly<Record<string, string>>;
}

/** Looks where the branches of merge requests are; changes nothing. */
@Injectable()
export class MergeRequestHeadsService {
  constructor(private readonly repositories: RepositoriesService) {}

  /** Null when one of the branches is not there. */
  async read(branches: MergeRequestBranches): Promise<Heads | null> {
    const found = await this.find(branches);
    return found && this.compare(found);
  }

  /** The heads alone; null when one of the branches is not there. */
  async find(branches: MergeRequestBranches): Promise<BranchHeads | null> {
    const { sourceProjectId, sourceBranch, projectId, targetBranch } = branches;
    if (!isValidRefName(sourceBranch) || !isValidRefName(targetBranch)) return null;
    const target = await this.repositories.openOrNull(projectRepository(projectId));
    const source =
      sourceProjectId === projectId
        ? target
        : await this.repositories.openOrNull(projectRepository(sourceProjectId));
    if (!target || !source) return null;
    const [headSha, startSha] = await Promise.all([
      peel(source.path, BRANCHES + sourceBranch),
      peel(target.path, BRANCHES + targetBranch),
    ]);
    if (headSha === null || startSha === null) return null;
    return { source, target, headSha, startSha, env: seeingObjectsOf(source, target) };
  }

  /** The head of the target, with the commit that was the head of a source branch that is gone; null when one of them is not there. */
  async findKept(
    { projectId, targetBranch }: Pick<MergeRequestBranches, 'projectId' | 'targetBranch'>,
    headSha: string,
  ): Promise<BranchHeads | null> {
    const target = await this.repositories.openOrNull(projectRepository(projectId));
    if (!target || !isValidRefName(targetBranch)) return null;
    const [kept, startSha] = await Promise.all([
      peel(target.path, headSha),
      peel(target.path, BRANCHES + targetBranch),
    ]);
    return kept === null || startSha === null ? null : { source: target, target, headSha, startSha, env: {} };
  }

  /** What lies between them. */
  async compare({ target: { path }, headSha, startSha, env }: BranchHeads): Promise<Heads> {
    const baseSha = headSha === startSha ? headSha : await findMergeBase(path, [headSha, startSha], env);
    if (baseSha === headSha)
      return { headSha, baseSha, startSha, changesCount: null, committerEmails: [], messages: '' };
    const from = baseSha ?? startSha;
    const [changesCount, said] = await Promise.all([
      countChanges(path, from, headSha, env),
      readWork(path, from, headSha, env),
    ]);
    return { headSha, baseSha, startSha, changesCount, ...said };
  }
}
