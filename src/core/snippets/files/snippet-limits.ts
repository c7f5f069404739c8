/** Limit of files of a snippet. */
export const MAX_FILES = 10;

/** Limit of the path of a file, in characters: lists contain the paths of all files. */
export const MAX_PATH = 4096;

/** Limit of bytes of a snippet: of all files together, and of its repository. */
export const MAX_SNIPPET_BYTES = 50 * 1024 * 1024;

/** Error for a change that would leave no files. */
export const TOO_FEW_FILES = 'The repository must contain at least 1 file';

/** Error for a change that would leave too many files. */
export const TOO_MANY_FILES = `The repository can contain at most ${MAX_FILES} file(s)`;

/** Error for a change with a path that is too long. */
export const PATH_TOO_LONG = `The paths of files can have at most ${MAX_PATH} characters`;

/** Error for a change that is too large. */
export const TOO_LARGE = 'The repository can hold at most 50 MB';
