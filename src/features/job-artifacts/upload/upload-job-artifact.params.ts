import { Anything, Flag, Id, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { ARTIFACT_FORMATS, ARTIFACT_TYPES, type ArtifactFormat } from '#core/ci/artifacts/artifact-types.js';

/** Traces have their own route. */
const UPLOADED_TYPES = ARTIFACT_TYPES.filter((type) => type !== 'trace');

/** Parameters of an upload by a runner, in the query or the form. */
export class UploadJobArtifactParams {
  @Id({ description: 'Id of the job' })
  id!: number;

  /** Only for the API documentation: the file is read as a stream. */
  @Anything({ optional: true, description: 'The file, in a multipart body; required' })
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

/** Path parameters of a job for runners. */
export class NameRunnerJobParams {
  @Id({ description: 'Id of the job' })
  id!: number;

  @Text({ optional: true, description: 'Token of a running job; or the header `JOB-TOKEN`' })
  token?: string;
}

/** Parameters of a download by a runner. */
export class FetchJobArtifactParams extends NameRunnerJobParams {
  @Flag({
    optional: true,
    description: 'Whether the runner follows a redirect to the store (`OBJECT_STORE_DIRECT_DOWNLOAD`)',
  })
  direct_download?: boolean;
}
