import { defineJob } from '#kernel/queue/job-definition.js';

/** Which import. */
export type StartImportPayload = Readonly<{ importId: number }>;

/** Starts entities of an import as far as there are places, and ends it with its last entity: enqueued with the import and whenever one of its entities ends. */
export const StartImportJob = defineJob<StartImportPayload>({
  name: 'bulk-imports.start',
  queue: 'bulk-imports',
  attempts: 8,
  backoff: { type: 'exponential', delayMs: 500, maxMs: 30_000 },
  dedupe: ({ importId }) => String(importId),
});
