/** Files of one diff; what comes after them is left out. */
export const MAX_FILES = 1_000;
/** Bytes of the patch of one file. */
export const MAX_PATCH_BYTES = 100 * 1024;
/** Bytes of all patches together; those after them are collapsed. */
export const MAX_SHOWN_BYTES = 5 * 1024 * 1024;
/** Bytes that git may write for them, shown or not. */
export const MAX_READ_BYTES = 64 * 1024 * 1024;
/** Time that git may take, after which the rest is collapsed. */
export const MAX_TIME_MS = 20_000;
