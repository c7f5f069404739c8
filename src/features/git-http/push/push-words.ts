import { unknownPushOptions } from '#core/ci/pushes/push-options.js';
import type { RepositoryRef } from '#core/repositories/repository-ref.js';
import { TEXTS } from '../access/git-texts.js';
import { oneLine } from './hook-channel.js';

/** Names of options that are told, and characters of each. */
const MOST_WORDS = 10;
const LONGEST_NAME = 100;

/** Lines for the user of a push that has gone through. */
export function wordsAfter(
  repository: RepositoryRef,
  notice: string | null,
  options: readonly string[],
): string[] {
  const words = [...(notice === null ? [] : [notice]), ...wordsOnOptions(repository, options)];
  return words.map(oneLine);
}

/** Options that do nothing here are told, or their users would wait for what they asked for. Only pipelines have any. */
function wordsOnOptions({ ownerType, kind }: RepositoryRef, options: readonly string[]): string[] {
  const isCode = ownerType === 'Project' && kind === 'code';
  const unknown = isCode ? unknownPushOptions(options) : options;
  const names = [...new Set(unknown.map((option) => option.split('=', 1)[0]?.slice(0, LONGEST_NAME) ?? ''))];
  return names.slice(0, MOST_WORDS).map((name) => TEXTS.optionIgnored(name));
}
