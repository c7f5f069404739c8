import { invalid } from '#kernel/http/errors.js';
import type { Variable } from './variable.entity.js';

/** Values that can be masked reliably in output: one line of these characters with a minimum length. */
const MASKABLE = /^[a-zA-Z0-9_+=/@:.~-]{8,}$/;

/** For values that are not expanded, any characters except whitespace. */
const MASKABLE_RAW = /^\S{8,}$/;

/** Asserts that the value of a masked variable can be masked. @throws 400 */
export function assertMaskable({ masked, raw }: Pick<Variable, 'masked' | 'raw'>, value: string): void {
  if (masked && !(raw ? MASKABLE_RAW : MASKABLE).test(value)) throw invalid({ value: ['is invalid'] });
}
