/** Limit of files per diff; further files are omitted. */
export const MAX_FILES = 1_000;
/** Limit of bytes of the patch of a file. */
export const MAX_PATCH_BYTES = 100 * 1024;
/** Limit of bytes of all patches of a diff; later ones are collapsed. */
export const MAX_SHOWN_BYTES = 5 * 1024 * 1024;
/** Limit of bytes that git may output, whether shown or not. */
export const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Time limit of git in milliseconds; what remains is collapsed. */
export const MAX_TIME_MS = 20_000;
