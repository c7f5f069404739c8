/** What is wrong with one place, and what a person can do about it. */
export interface StorageProblem {
  readonly storage: string;
  /** Below the folder of the storage. */
  readonly path: string;
  readonly problem: string;
  readonly advice: string;
  /** Worth knowing, but nothing that is broken now. */
  readonly isNote?: boolean;
}

/** Takes a problem. */
export type Report = (problem: StorageProblem) => void;
