const DRAFT = /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i;

/** Whether a title says that its merge request is not to be merged yet. */
export const isDraftTitle = (title: string): boolean => DRAFT.test(title);

/** The title of the same merge request once it is ready; one of which nothing would be left stays. */
export function withoutDraft(title: string): string {
  let rest = title;
  while (isDraftTitle(rest)) rest = rest.replace(DRAFT, '');
  return rest.trim() === '' ? title : rest;
}
