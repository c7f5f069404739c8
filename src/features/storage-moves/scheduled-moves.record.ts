import { Count, Text } from '#kernel/http/fields/scalar-fields.js';

/** Response to scheduling the moves of a storage: a sentence, or for a dry run, its plan. */
export class ScheduledMovesRecord {
  @Text({ optional: true, description: '202 Accepted' })
  message?: string;

  @Count({ optional: true, description: 'Dry run: projects, groups or snippets that would move' })
  containers?: number;

  @Count({ optional: true, description: 'Dry run' })
  repositories?: number;

  @Count({ optional: true, description: 'Dry run: their size as last measured' })
  bytes?: number;
}
