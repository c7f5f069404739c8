import { unknownPushOptions } from '#core/ci/pushes/push-options.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import { TEXTS } from '../access/git-texts.js';
import { oneLine } from './hook-channel.js';

/** Limits of listed options, and of characters of each. */
const MOST_WORDS = 10;
const LONGEST_NAME = 100;

/** Returns the messages for the user of a successful push. */
export function wordsAfter(
  repository: RepositoryRef,
  notice: string | null,
  options: readonly string[],
): string[] {
  const words = [...(notice === null ? [] : [notice]), ...wordsOnOptions(repository, options)];
  return words.map(oneLine);
}

/** Reports options without an effect here, so that users do not wait for it. Only pipelines have options. */
function wordsOnOptions({ ownerType, kind }: RepositoryRef, options: readonly string[]): string[] {
  const isCode = ownerType === 'Project' && kind === 'code';
  const unknown = isCode ? unknownPushOptions(options) : options;
  const names = [...new Set(unknown.map((option) => option.split('=', 1)[0]?.slice(0, LONGEST_NAME) ?? ''))];
  return names.slice(0, MOST_WORDS).map((name) => TEXTS.optionIgnored(name));
}
