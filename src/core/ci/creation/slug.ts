/** A text as a label of a host name may be, as `CI_COMMIT_REF_SLUG` has it. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]/g, '-')
    .slice(0, 63)
    .replace(/^-+|-+$/g, '');
