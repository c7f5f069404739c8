/** Thrown if a backup cannot be made or read; the message is for operators. */
export class BackupProblem extends Error {}

/** Thrown if the target of a backup refuses files; nothing is wrong with what was to be kept. */
export class TargetProblem extends BackupProblem {}
