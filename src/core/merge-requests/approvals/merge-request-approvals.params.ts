import { Text } from '#kernel/http/fields/scalar-fields.js';
import { FindMergeRequestParams } from '../merge-requests.params.js';

/** Parameters of an approval. */
export class ApproveMergeRequestParams extends FindMergeRequestParams {
  @Text({ optional: true, maxLength: 64, description: 'Head of the source branch as the caller has seen it' })
  sha?: string;

  @Text({ optional: true, maxLength: 1_024, description: 'Of the caller, where the project asks for it' })
  approval_password?: string;
}
