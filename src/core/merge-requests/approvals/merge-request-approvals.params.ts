import { Text } from '#kernel/http/fields/scalar-fields.js';
import { FindMergeRequestParams } from '../merge-requests.params.js';

/** Parameters of an approval. */
export class ApproveMergeRequestParams extends FindMergeRequestParams {
  @Text({ optional: true, maxLength: 64, description: 'Head of the source branch as the caller has seen it' })
  sha?: string;

  @Text({
    optional: true,
    maxLength: 1_024,
    description: 'Password of the caller, if the project requires it',
  })
  approval_password?: string;
}
