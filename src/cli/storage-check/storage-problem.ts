/** What is wrong with one place, and what a person can do about it. */
export interface StorageProblem {
  readonly storage: string;
  /** Below the folder of the storage. */
  readonly path: string;
  readonly problem: string;
  readonly advice: string;
}

/** Takes a problem. */
export type Report = (problem: StorageProblem) => void;
