import { invalid } from '#kernel/http/errors.js';

/** Longest title of an issue, a merge request or an epic, as everybody knows it. */
export const MAX_TITLE = 255;

/** Longest description. */
export const MAX_DESCRIPTION = 1_048_576;

/** @throws 400 for a title of which nothing is left */
export function assertTitle(title: string | undefined): void {
  if (title?.trim() === '') throw invalid({ title: ["can't be blank"] });
}

/** A description as it is kept: an empty one is none, and no change of none. */
export const keptDescription = <T extends string | null | undefined>(description: T): T | null =>
  description === '' ? null : description;
