/** A problem with one path, and advice on fixing it. */
export interface StorageProblem {
  readonly storage: string;
  /** Relative to the folder of the storage. */
  readonly path: string;
  readonly problem: string;
  readonly advice: string;
  /** Worth knowing, but not a fault. */
  readonly isNote?: boolean;
}

/** Reports a problem. */
export type Report = (problem: StorageProblem) => void;
