import { refusal, type Refusal } from '../refusal.js';
import type { SentParameters } from '../sent-parameters.js';

/** Values of `prompt` (OpenID Connect core 3.1.2.1). */
const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;

/** Value of the `prompt` parameter. */
export type Prompt = (typeof PROMPTS)[number];

const wordsOf = (parameters: SentParameters): string[] =>
  (parameters.get('prompt') ?? '').split(' ').filter((word) => word !== '');

/** Returns the prompts of the request. */
export const promptsOf = (parameters: SentParameters): ReadonlySet<Prompt> =>
  new Set(PROMPTS.filter((prompt) => wordsOf(parameters).includes(prompt)));

/** Returns whether no page may be shown: `none`, possibly repeated, and nothing else. */
export function isSilent(parameters: SentParameters): boolean {
  const words = wordsOf(parameters);
  return words.length > 0 && words.every((word) => word === 'none');
}

/** Returns the maximum age of the sign-in in seconds, or null (OpenID Connect core 3.1.2.1). */
export function maxAgeOf(parameters: SentParameters): number | null {
  const text = parameters.get('max_age');
  return text === null ? null : Number(text);
}

/** Returns the problem of `prompt` and `max_age`; null if there is none. */
export function promptProblem(parameters: SentParameters): Refusal | null {
  // Unknown prompts cannot be obeyed.
  if (!wordsOf(parameters).every((word) => (PROMPTS as readonly string[]).includes(word)))
    return refusal('invalid_request', 'The prompt is unknown.');
  const prompts = promptsOf(parameters);
  if (prompts.has('none') && prompts.size > 1)
    return refusal('invalid_request', 'The prompt none cannot be combined with others.');
  return /^\d{1,15}$/.test(parameters.get('max_age') ?? '0')
    ? null
    : refusal('invalid_request', 'max_age must be a number of seconds.');
}
