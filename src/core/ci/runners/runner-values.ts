import { invalid } from '#kernel/http/errors.js';
import type { Runner } from './runner.entity.js';

/** Attributes of a runner that users and runners can set. */
export type RunnerValues = Pick<
  Runner,
  | 'description'
  | 'maintenanceNote'
  | 'paused'
  | 'locked'
  | 'runUntagged'
  | 'accessLevel'
  | 'maximumTimeout'
  | 'tagList'
>;

const MAX_TAGS = 50;
const MAX_TAG_LENGTH = 255;

/** In seconds. */
const LEAST_TIMEOUT = 600;

/** Asserts that the attributes of a runner are valid. @throws 400 */
export function assertRunnerValues({ tagList, runUntagged, maximumTimeout }: RunnerValues): void {
  const tags: string[] = [];
  if (tagList.length > MAX_TAGS)
    tags.push(`Too many tags specified. Please limit the number of tags to ${MAX_TAGS}`);
  if (tagList.some((tag) => tag.length > MAX_TAG_LENGTH))
    tags.push(`is too long (maximum is ${MAX_TAG_LENGTH} characters)`);
  if (tagList.length === 0 && !runUntagged)
    tags.push('can not be empty when runner is not allowed to pick untagged jobs');
  const problems = {
    ...(tags.length > 0 ? { tags_list: tags } : {}),
    ...(maximumTimeout !== null && maximumTimeout < LEAST_TIMEOUT
      ? { maximum_timeout: ['needs to be at least 10 minutes'] }
      : {}),
  };
  if (Object.keys(problems).length > 0) throw invalid(problems);
}
