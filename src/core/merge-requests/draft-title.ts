const DRAFT = /^\s*(?:\[draft\]|\(draft\)|draft:)\s*/i;

/** Whether a title says that its merge request is not to be merged yet. */
export const isDraftTitle = (title: string): boolean => DRAFT.test(title);
