import { Anything, Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ARTIFACT_FORMATS, ARTIFACT_TYPES, type ArtifactFormat } from '#core/ci/artifacts/artifact-types.js';

/** Traces come another way. */
const UPLOADED_TYPES = ARTIFACT_TYPES.filter((type) => type !== 'trace');

/** Parameters of an artifact that a runner sends; they are in the query. */
export class UploadJobArtifactParams {
  @Id({ description: 'Id of the job' })
  id!: number;

  /** For the documents only: the file is read as a stream. */
  @Anything({ optional: true, description: 'The file, in a multipart body; needed' })
  file?: unknown;

  @OneOf(UPLOADED_TYPES, { optional: true, description: 'Default archive' })
  artifact_type?: string;

  @OneOf(ARTIFACT_FORMATS, { optional: true, description: 'Default zip' })
  artifact_format?: ArtifactFormat;

  @Text({
    optional: true,
    maxLength: 100,
    description: 'Such as `1 week`; default: setting `default_artifacts_expire_in`',
  })
  expire_in?: string;

  @OneOf(['public', 'private'], { optional: true, description: 'Default: what the job says' })
  accessibility?: 'public' | 'private';

  @Text({ optional: true, description: 'Token of the job; or the header `JOB-TOKEN`' })
  token?: string;
}

/** The job whose artifacts a runner is about. */
export class NameRunnerJobParams {
  @Id({ description: 'Id of the job' })
  id!: number;

  @Text({ optional: true, description: 'Token of a running job; or the header `JOB-TOKEN`' })
  token?: string;
}

/** The job whose archive a runner fetches. */
export class FetchJobArtifactParams extends NameRunnerJobParams {
  @Flag({
    optional: true,
    description: 'Whether the runner follows a redirect to the store (`OBJECT_STORE_DIRECT_DOWNLOAD`)',
  })
  direct_download?: boolean;
}
