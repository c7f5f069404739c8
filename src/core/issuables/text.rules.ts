import { invalid } from '#kernel/http/errors.js';

/** Limit of characters of the title of an issue, a merge request or an epic. */
export const MAX_TITLE = 255;

/** Limit of characters of a description. */
export const MAX_DESCRIPTION = 1_048_576;

/** Asserts that a title is not blank. @throws 400 */
export function assertTitle(title: string | undefined): void {
  if (title?.trim() === '') throw invalid({ title: ["can't be blank"] });
}

/** Normalizes a description: an empty one becomes null, undefined stays. */
export const keptDescription = <T extends string | null | undefined>(description: T): T | null =>
  description === '' ? null : description;
