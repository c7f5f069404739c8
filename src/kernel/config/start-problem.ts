/** Why the process cannot start, in words for whoever starts it: shown alone, without a stack. */
export class StartProblem extends Error {}
