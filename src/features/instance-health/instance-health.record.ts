import { ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Decimal, Flag, IsoDate, IsoTime, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Kinds of credentials and licenses that expire. */
export const EXPIRING_KINDS = ['license', 'personal_access_token', 'ssh_key'] as const;

/** A dependency of the instance, and whether it works. */
export class DependencyRecord {
  @Text({ example: 'object_storage' })
  name!: string;

  @OneOf(['up', 'down'])
  status!: 'up' | 'down';

  @Text({ nullable: true, description: 'Why it does not work; how far a replica is behind' })
  message!: string | null;
}

/** A replica of the database. */
export class DatabaseReplicaRecord {
  @Text({ nullable: true })
  name!: string | null;

  @Text({ nullable: true, example: 'streaming' })
  state!: string | null;

  @Decimal({ nullable: true, description: 'Replication lag in seconds' })
  lag_seconds!: number | null;
}

/** A slow statement, without its values. */
export class SlowStatementRecord {
  @Text({ description: 'Cut where it is long' })
  statement!: string;

  @Count()
  calls!: number;

  @Decimal({ description: 'Milliseconds of one call on average' })
  mean_ms!: number;

  @Decimal({ description: 'Milliseconds of all calls together' })
  total_ms!: number;
}

/** Connections and replicas of the database. */
export class DatabaseHealthRecord {
  @Count({ description: 'Connections in use' })
  connections!: number;

  @Count({ description: 'Maximum connections of the server' })
  max_connections!: number;

  @ListOf(() => DatabaseReplicaRecord)
  replicas!: readonly DatabaseReplicaRecord[];
}

/** The disk of a storage, or of DATA_DIR. */
export class DiskHealthRecord {
  @Text({ example: 'storage_default' })
  name!: string;

  @Count()
  free_bytes!: number;

  @Count()
  size_bytes!: number;
}

/** A migration of existing rows, made in batches. */
export class BackfillRecord {
  @Text()
  name!: string;

  @Count({ description: 'Number of rows examined' })
  done!: number;

  @Count({ nullable: true, description: 'About how many there are' })
  total!: number | null;

  @Text({ nullable: true, description: 'Error of the last attempt' })
  error!: string | null;

  @IsoTime({ nullable: true })
  finished_at!: string | null;
}

/** Number of items of one kind that expire within 30 days. */
export class ExpiringRecord {
  @OneOf(EXPIRING_KINDS)
  kind!: (typeof EXPIRING_KINDS)[number];

  @Count()
  count!: number;

  @IsoDate({ description: 'When the first of them expires' })
  first_on!: string;
}

/** State of the instance for operators; parts that did not answer within two seconds are null. */
export class InstanceHealthRecord {
  @Flag({ description: 'Whether every dependency works' })
  ready!: boolean;

  @Text({ description: 'Version and commit of Forgeplane' })
  revision!: string;

  @ListOf(() => DependencyRecord)
  dependencies!: readonly DependencyRecord[];

  @Nested(() => DatabaseHealthRecord, { nullable: true })
  database!: DatabaseHealthRecord | null;

  @ListOf(() => SlowStatementRecord, {
    nullable: true,
    description: 'Those that took the most time in total; null without pg_stat_statements',
  })
  slow_statements!: readonly SlowStatementRecord[] | null;

  @ListOf(() => DiskHealthRecord, { nullable: true })
  disks!: readonly DiskHealthRecord[] | null;

  @ListOf(() => BackfillRecord, {
    nullable: true,
    description: 'Back-fills, unfinished ones first',
  })
  backfills!: readonly BackfillRecord[] | null;

  @ListOf(() => ExpiringRecord, { nullable: true, description: 'What expires within 30 days' })
  expiring!: readonly ExpiringRecord[] | null;
}
