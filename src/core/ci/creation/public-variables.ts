import type { CiVariable } from '../jobs/definition/job-definition.js';

/** Variables that everybody may see, without those that are null. */
export const publicVariables = (
  values: Readonly<Record<string, string | number | null | undefined>>,
): CiVariable[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined
      ? []
      : [{ key, value: String(value), public: true, masked: false, raw: true }],
  );

/** Characters of a description or message that a variable carries: environments of processes are bounded. */
export const MAX_TEXT = 4_096;
