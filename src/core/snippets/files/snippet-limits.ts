/** Files of a snippet. */
export const MAX_FILES = 10;

/** Bytes of a snippet: of all its files, and of its repository. */
export const MAX_SNIPPET_BYTES = 50 * 1024 * 1024;

/** What everybody reads whose change would leave no file. */
export const TOO_FEW_FILES = 'The repository must contain at least 1 file';

/** What everybody reads whose change would leave too many. */
export const TOO_MANY_FILES = `The repository can contain at most ${MAX_FILES} file(s)`;

/** What everybody reads whose change is too large. */
export const TOO_LARGE = 'The repository can hold at most 50 MB';
