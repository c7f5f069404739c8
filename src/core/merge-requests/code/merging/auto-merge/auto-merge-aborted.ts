/** The text of a system note: auto-merge was disabled because it is impossible. */
export const autoMergeAborted = (reason: string): string => `aborted the automatic merge because ${reason}`;
