/** Thrown if a backup cannot be made or read; the message is for operators. */
export class BackupProblem extends Error {}
