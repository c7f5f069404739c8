import type { CiVariable } from '../jobs/definition/job-definition.js';

/** Creates variables that are not secret; omits those that are null. */
export const publicVariables = (
  values: Readonly<Record<string, string | number | null | undefined>>,
): CiVariable[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined
      ? []
      : [{ key, value: String(value), public: true, masked: false, raw: true }],
  );

/** Limit of characters of a description or message in a variable: the environment of a process is limited. */
export const MAX_TEXT = 4_096;
