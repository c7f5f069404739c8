/** Error of copying tables, worded for operators. */
export class CopyProblem extends Error {}
