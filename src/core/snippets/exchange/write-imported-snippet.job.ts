import { defineJob } from '#kernel/queue/job-definition.js';

/** Writes the repository of an imported snippet from its staged files. */
export const WriteImportedSnippetJob = defineJob<{ readonly snippetId: number }>({
  name: 'snippets.write_imported',
  queue: 'repositories',
  attempts: 12,
  backoff: { type: 'exponential', delayMs: 2_000 },
});
