import { Invalid } from '#kernel/http/errors.js';
import { isValidRefName } from '#core/repositories/ref-name.js';

/** What is deployed. */
export interface DeploymentTarget {
  readonly sha: string;
  readonly ref: string;
}

const FULL_SHA = /^[0-9a-f]{40}$/i;

/**
 * The target of a project without repository data: any full SHA and any valid name of a ref.
 * @throws 400 with all that is wrong
 */
export function targetWithoutRepository({ sha, ref }: DeploymentTarget): DeploymentTarget {
  const problems = {
    ...(FULL_SHA.test(sha) ? {} : { sha: ['The commit does not exist'] }),
    ...(isValidRefName(ref) ? {} : { ref: ['The branch or tag does not exist'] }),
  };
  if (Object.keys(problems).length > 0) throw Invalid(problems);
  return { sha: sha.toLowerCase(), ref };
}
