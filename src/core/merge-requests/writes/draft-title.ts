const DRAFT = /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i;

/** Returns whether a title marks a draft. */
export const isDraftTitle = (title: string): boolean => DRAFT.test(title);

/** Removes the draft prefix from a title, unless nothing would be left. */
export function withoutDraft(title: string): string {
  let rest = title;
  while (isDraftTitle(rest)) rest = rest.replace(DRAFT, '');
  return rest.trim() === '' ? title : rest;
}
