import { Count, Text } from '#kernel/http/fields/scalar-fields.js';

/** What scheduling the moves of a whole storage answers: a sentence, or, for a dry run, what would move. */
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
