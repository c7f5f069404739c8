import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { invalid } from '#kernel/http/errors.js';
import { hasRefs } from '#core/repositories/git/branches.js';
import { gitText } from '#core/repositories/git/git.js';
import { isValidRefName } from '#core/repositories/ref-name.js';
import { RepositoriesService } from '#core/repositories/repositories.service.js';
import { projectRepository } from '#core/repositories/repository-ref.js';

/** What is deployed. */
export interface DeploymentTarget {
  readonly sha: string;
  readonly ref: string;
}

const FULL_SHA = /^[0-9a-f]{40}$/i;
const SHA = /^[0-9a-f]{7,40}$/i;

/** Projects that this process remembers to have had no repository. */
const MAX_REMEMBERED = 10_000;

/** A target that has been found. */
export interface FoundTarget {
  readonly target: DeploymentTarget;
  /** False for a project without a repository: there is nothing to keep. */
  readonly isStored: boolean;
  /** Nobody has looked for it: whoever takes it asks whether the project has no repository still. */
  readonly isGuess: boolean;
}

/** Finds what clients say they deploy. */
@Injectable()
export class DeploymentTargetFinder {
  private readonly withoutRepository = new LRUCache<number, true>({ max: MAX_REMEMBERED });

  constructor(private readonly repositories: RepositoriesService) {}

  /** The target in a project that had no repository when this process looked last. Null where one has to look, or will be told what is wrong. */
  guess(projectId: number, { sha, ref }: DeploymentTarget): FoundTarget | null {
    if (!this.withoutRepository.has(projectId) || !FULL_SHA.test(sha) || !isValidRefName(ref)) return null;
    return { target: { sha: sha.toLowerCase(), ref }, isStored: false, isGuess: true };
  }

  /**
   * The commit, by its full id, and the branch or tag. A project without repository data takes any full id and any name.
   * @throws 400 with all that is not there
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
 * The target of a project without repository data: any full SHA and any valid name of a ref.
 * @throws 400 with all that is wrong
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

/** Ids of the commit, of the branch and of the tag, each null where it is not there; by one process. */
async function look(path: string, { sha, ref }: DeploymentTarget): Promise<(string | null)[]> {
  const isRef = isValidRefName(ref);
  // All zeros name no object.
  const commit = SHA.test(sha) ? sha.toLowerCase() : '0'.repeat(40);
  const names = [`${commit}^{commit}`, ...(isRef ? [`refs/heads/${ref}`, `refs/tags/${ref}`] : [])];
  const answer = await gitText(path, ['cat-file', '--batch-check=%(objectname)'], {
    input: `${names.join('\n')}\n`,
  });
  return answer.split('\n').map((line) => (FULL_SHA.test(line) ? line : null));
}
