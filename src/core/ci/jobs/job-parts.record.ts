import { Count, Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** What a job tells of its project. */
export class JobProjectRecord {
  @Flag()
  ci_job_token_scope_enabled!: boolean;
}

/** The archive of a job. */
export class JobArchiveRecord {
  @Text({ example: 'artifacts.zip' })
  filename!: string;

  @Count({ description: 'Bytes' })
  size!: number;
}

/** A file that a job has left behind. */
export class JobArtifactRecord {
  @Text({ example: 'archive' })
  file_type!: string;

  @Count({ description: 'Bytes' })
  size!: number;

  @Text({ example: 'artifacts.zip' })
  filename!: string;

  @Text({ nullable: true, example: 'zip' })
  file_format!: string | null;
}
