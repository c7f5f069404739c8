import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { invalid } from '#kernel/http/errors.js';
import { hasRefs } from '#core/repositories/git/branches.js';
import { objectIds } from '#core/repositories/git/object-ids.js';
import { isLiteral } from '#core/repositories/git/resolve.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';

/** Commit and ref of a deployment. */
export interface DeploymentTarget {
  readonly sha: string;
  readonly ref: string;
}

const FULL_SHA = /^[0-9a-f]{40}$/i;
const SHA = /^[0-9a-f]{7,40}$/i;

/** Limit of remembered projects without a repository. */
const MAX_REMEMBERED = 10_000;

/** A target that was found. */
export interface FoundTarget {
  readonly target: DeploymentTarget;
  /** False for a project without a repository: no ref is needed to keep the commit. */
  readonly isStored: boolean;
  /** The target was not checked: callers must make sure that the project still has no repository. */
  readonly isGuess: boolean;
}

/** Finds the commit and ref that clients name. */
@Injectable()
export class DeploymentTargetFinder {
  private readonly withoutRepository = new LRUCache<number, true>({ max: MAX_REMEMBERED });

  constructor(private readonly repositories: RepositoriesService) {}

  /**
   * Returns the target in a project that had no repository at the last look. Null if it must be looked up, or
   * is invalid.
   */
  guess(projectId: number, { sha, ref }: DeploymentTarget): FoundTarget | null {
    if (!this.withoutRepository.has(projectId) || !FULL_SHA.test(sha) || !isValidRefName(ref)) return null;
    return { target: { sha: sha.toLowerCase(), ref }, isStored: false, isGuess: true };
  }

  /**
   * Returns the full commit id, and the branch or tag. A project without a repository accepts any full id and
   * any name.
   * @throws 400 with everything that does not exist
   */
  async find(projectId: number, target: DeploymentTarget): Promise<FoundTarget> {
    const repository = await this.repositories.openOrNull(projectRepository(projectId));
    this.remember(projectId, repository === null);
    if (!repository) return { target: targetWithoutRepository(target), isStored: false, isGuess: false };
    const [sha = null, ...refs] = await look(repository.path, target);
    const hasRef = refs.some((ref) => ref !== null);
    if (sha !== null && hasRef) return { target: { sha, ref: target.ref }, isStored: true, isGuess: false };
    if (!(await hasRefs(repository.path)))
      return { target: targetWithoutRepository(target), isStored: false, isGuess: false };
    throw invalid(problems(sha !== null, hasRef));
  }

  private remember(projectId: number, hasNone: boolean): void {
    if (hasNone) this.withoutRepository.set(projectId, true);
    else this.withoutRepository.delete(projectId);
  }
}

/**
 * Returns the target in a project without a repository: any full SHA and any valid ref name.
 * @throws 400 with everything that is invalid
 */
function targetWithoutRepository({ sha, ref }: DeploymentTarget): DeploymentTarget {
  const found = problems(FULL_SHA.test(sha), isValidRefName(ref));
  if (Object.keys(found).length > 0) throw invalid(found);
  return { sha: sha.toLowerCase(), ref };
}

const problems = (hasSha: boolean, hasRef: boolean): Readonly<Record<string, string[]>> => ({
  ...(hasSha ? {} : { sha: ['The commit does not exist'] }),
  ...(hasRef ? {} : { ref: ['The branch or tag does not exist'] }),
});

/** Resolves the commit, the branch and the tag at once; null for each that does not exist. */
async function look(path: string, { sha, ref }: DeploymentTarget): Promise<(string | null)[]> {
  const isRef = isValidRefName(ref);
  // No object has the id of all zeros.
  const commit = SHA.test(sha) ? sha.toLowerCase() : '0'.repeat(40);
  const names = [`${commit}^{commit}`];
  for (const name of isRef ? [`refs/heads/${ref}`, `refs/tags/${ref}`] : [])
    if (await isLiteral(path, name)) names.push(name);
  return objectIds(path, names);
}
