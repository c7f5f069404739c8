import { Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { ArtifactPath } from './artifact-path.field.js';

const PATH = { description: 'Path within the archive', example: 'coverage/index.html' } as const;

/** Path parameters of the artifacts of a job. */
export class FindJobArtifactsParams {
  @Id()
  job_id!: number;
}

/** Path parameters of a file of a job. */
export class FindJobFileParams extends FindJobArtifactsParams {
  @ArtifactPath(PATH)
  artifact_path!: string;
}

/** Parameters of the artifacts of the latest successful pipeline of a ref. */
export class FindRefArtifactsParams {
  @Text({ maxLength: 1024, description: 'Branch or tag, URL-encoded; neither HEAD nor a commit' })
  ref_name!: string;

  @Text({ maxLength: 1024, description: 'Name of the job' })
  job!: string;
}

/** Parameters of a file of the latest successful pipeline of a ref. */
export class FindRefFileParams extends FindRefArtifactsParams {
  @ArtifactPath(PATH)
  artifact_path!: string;
}
