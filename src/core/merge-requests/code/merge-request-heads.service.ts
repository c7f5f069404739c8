import { Injectable } from '@nestjs/common';
import { findMergeBase } from '#core/repositories/commits/comparing.js';
import { peel } from '#core/repositories/git/resolve.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { BRANCHES } from '#core/repositories/refs/read-refs.js';
import { projectRepository } from '#core/repositories/repository-ref.js';
import { RepositoriesService, type OpenRepository } from '#core/repositories/repositories.service.js';
import { countChanges } from './count-changes.js';
import { seeingObjectsOf } from './source-objects.js';
import { readWork } from './read-work.js';

/** Source and target branch of a merge request. */
export interface MergeRequestBranches {
  readonly sourceProjectId: number;
  readonly sourceBranch: string;
  readonly projectId: number;
  readonly targetBranch: string;
}

/** Heads of both branches, with their differences. */
export interface Heads {
  /** Head of the source branch. */
  readonly headSha: string;
  /** The merge base; null for unrelated histories. */
  readonly baseSha: string | null;
  /** Head of the target branch. */
  readonly startSha: string;
  /** Number of changed files, "1000+" above that; null if nothing has changed. */
  readonly changesCount: string | null;
  /** Email addresses of the committers of its commits, in lower case; null if unknown. */
  readonly committerEmails: readonly string[] | null;
  /** Messages of its newest commits. */
  readonly messages: string;
}

/** Both branches with their repositories. */
export interface BranchHeads {
  readonly source: OpenRepository;
  readonly target: OpenRepository;
  readonly headSha: string;
  readonly startSha: string;
  /** Environment in which git, in the target repository, sees the objects of both. */
  readonly env: Readonly<Record<string, string>>;
}

/** Reads the heads of merge requests' branches; changes nothing. */
@Injectable()
export class MergeRequestHeadsService {
  constructor(private readonly repositories: RepositoriesService) {}

  /**
   * Reads both heads and their differences; null if a branch does not exist. `known`: the head to take for the
   * present one of the source, as long as it exists.
   */
  async read(branches: MergeRequestBranches, known: string | null = null): Promise<Heads | null> {
    const found = await this.find(branches);
    if (!found) return null;
    const isOther = known !== null && known !== found.headSha;
    return this.compare((isOther ? await this.findKept(branches, known) : null) ?? found);
  }

  /** Reads only the heads; null if a branch does not exist. */
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

  /**
   * Reads the head of the target, and the kept last head of a removed source branch; null if either does not
   * exist.
   */
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

  /** Compares the heads. */
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
