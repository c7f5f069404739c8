import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { bothOf, partialOf } from '#kernel/http/fields/derived-fields.js';
import { Count, Text } from '#kernel/http/fields/scalar-fields.js';
import { BulkImportRecord } from '../bulk-import.record.js';

const Told = (): PropertyDecorator =>
  Count({ nullable: true, description: 'Null if the source does not tell' });

/** Counts of an entity at the source, including everything below it. */
export class MigrationCountsRecord {
  @Told()
  subgroups!: number | null;

  @Told()
  projects!: number | null;

  @Told()
  members!: number | null;

  @Told()
  labels!: number | null;

  @Told()
  milestones!: number | null;

  @Told()
  issues!: number | null;

  @Told()
  merge_requests!: number | null;

  @Count({ nullable: true, description: 'Bytes of the repository, of projects' })
  repository_size!: number | null;
}

/** A member without a local user. */
export class UnmatchedUserRecord {
  @Text({ nullable: true })
  username!: string | null;

  @Text({ nullable: true })
  name!: string | null;
}

/** Result of an entity. */
export class PlannedEntityRecord {
  @Text()
  source_full_path!: string;

  @Text({ description: 'Path of what would be created' })
  destination!: string;

  @List(Text(), { description: 'Reasons that prevent the migration' })
  conflicts!: string[];

  @Nested(() => MigrationCountsRecord)
  counts!: MigrationCountsRecord;

  @ListOf(() => UnmatchedUserRecord, { description: 'At most a thousand direct and inherited members' })
  unmatched_users!: UnmatchedUserRecord[];
}

/** A migration that was only planned. */
export class DryRunRecord {
  @ListOf(() => PlannedEntityRecord)
  entities!: PlannedEntityRecord[];
}

/** Response to a request for a migration: the migration, or for a dry run, its plan. */
export class AskedBulkImportRecord extends bothOf(partialOf(BulkImportRecord), partialOf(DryRunRecord)) {}
