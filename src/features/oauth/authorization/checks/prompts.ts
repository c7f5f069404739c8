import { refusal, type Refusal } from '../refusal.js';
import type { SentParameters } from '../sent-parameters.js';

/** What the client may ask the pages to do (OpenID Connect core 3.1.2.1). */
const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;

/** Value of the `prompt` parameter. */
export type Prompt = (typeof PROMPTS)[number];

const wordsOf = (parameters: SentParameters): string[] =>
  (parameters.get('prompt') ?? '').split(' ').filter((word) => word !== '');

/** What the request asks the pages to do. */
export const promptsOf = (parameters: SentParameters): ReadonlySet<Prompt> =>
  new Set(PROMPTS.filter((prompt) => wordsOf(parameters).includes(prompt)));

/** Whether no page may be shown at all: `none`, however often, and nothing else. */
export function isSilent(parameters: SentParameters): boolean {
  const words = wordsOf(parameters);
  return words.length > 0 && words.every((word) => word === 'none');
}

/** Seconds after which the user must have signed in anew, or null (OpenID Connect core 3.1.2.1). */
export function maxAgeOf(parameters: SentParameters): number | null {
  const text = parameters.get('max_age');
  return text === null ? null : Number(text);
}

/** What is wrong with what a request asks the pages to do; null when nothing is. */
export function promptProblem(parameters: SentParameters): Refusal | null {
  // Words that mean nothing here cannot be obeyed.
  if (!wordsOf(parameters).every((word) => (PROMPTS as readonly string[]).includes(word)))
    return refusal('invalid_request', 'The prompt is not known.');
  const prompts = promptsOf(parameters);
  if (prompts.has('none') && prompts.size > 1)
    return refusal('invalid_request', 'The prompt none stands alone.');
  return /^\d{1,15}$/.test(parameters.get('max_age') ?? '0')
    ? null
    : refusal('invalid_request', 'max_age must be a number of seconds.');
}
