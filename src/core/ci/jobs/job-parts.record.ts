import { Count, Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** CI settings of the project of a job. */
export class JobProjectRecord {
  @Flag()
  ci_job_token_scope_enabled!: boolean;
}

/** The artifacts archive of a job. */
export class JobArchiveRecord {
  @Text({ example: 'artifacts.zip' })
  filename!: string;

  @Count({ description: 'Bytes' })
  size!: number;
}

/** An artifact file of a job. */
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
