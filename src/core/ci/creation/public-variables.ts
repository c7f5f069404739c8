import type { CiVariable, JobDefinition } from '../jobs/definition/job-definition.js';
import { slugOf } from './slug.js';

/** Creates variables that are not secret; omits those that are null. */
export const publicVariables = (
  values: Readonly<Record<string, string | number | null | undefined>>,
): CiVariable[] =>
  Object.entries(values).flatMap(([key, value]) =>
    value === null || value === undefined
      ? []
      : [{ key, value: String(value), public: true, masked: false, raw: true }],
  );

/** Variables that tell the jobs of a pipeline apart, known before they are stored. */
export const namingOf = (
  { name, stage }: { readonly name: string; readonly stage: string },
  parallel: JobDefinition['parallel'],
): Readonly<Record<string, string | number | null>> => ({
  CI_JOB_NAME: name,
  CI_JOB_NAME_SLUG: slugOf(name),
  CI_JOB_STAGE: stage,
  CI_NODE_INDEX: parallel?.index ?? null,
  CI_NODE_TOTAL: parallel?.total ?? 1,
});

/** Limit of characters of a description or message in a variable: the environment of a process is limited. */
export const MAX_TEXT = 4_096;
