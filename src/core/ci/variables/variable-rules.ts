import { invalid } from '#kernel/http/errors.js';
import type { Variable } from './variable.entity.js';

/** What can be told from everything else that a job prints: one line of such characters, not too short. */
const MASKABLE = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/;

/** The same for values that are not expanded, which may have any characters but blanks. */
const MASKABLE_RAW = /^\S{8,}$/;

/** Judges whether a value can be hidden, where it is to be. @throws 400 */
export function assertMaskable({ masked, raw }: Pick<Variable, 'masked' | 'raw'>, value: string): void {
  if (masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value)) throw invalid({ value: ['is invalid'] });
}
