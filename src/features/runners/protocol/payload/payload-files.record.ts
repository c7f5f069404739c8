import { List, Nested } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';

/** Files for the runner to upload after the job: the archive, or a report. */
export class PayloadArtifact {
  @Text({ nullable: true })
  name!: string | null;

  @Flag({ optional: true })
  untracked?: boolean;

  @List(Text())
  paths!: string[];

  @List(Text(), { optional: true })
  exclude?: string[];

  @Text({ nullable: true })
  when!: string | null;

  @Text({ nullable: true })
  expire_in!: string | null;

  @Text()
  artifact_type!: string;

  @Text()
  artifact_format!: string;
}

/** Files that runners keep between jobs. */
export class PayloadCache {
  @Text()
  key!: string;

  @Flag()
  untracked!: boolean;

  @Text()
  policy!: string;

  @List(Text())
  paths!: string[];

  @Text()
  when!: string;

  @List(Text())
  fallback_keys!: string[];
}

/** The archive of a job. */
export class PayloadArtifactsFile {
  @Text()
  filename!: string;

  @Count()
  size!: number;
}

/** A job whose archive the job receives. */
export class PayloadDependency {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  token!: string;

  @Nested(() => PayloadArtifactsFile, { optional: true })
  artifacts_file?: PayloadArtifactsFile;
}
