import { bothOf, partialOf } from '#kernel/http/fields/derived-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import { CommitDetailRecord } from '../commit-detail.record.js';

class DryRunFields {
  @Text({ optional: true, example: 'success', description: 'Instead of the commit, with dry_run' })
  dry_run?: string;
}

/** The new commit; with `dry_run`, only that it can be created. */
export class AppliedCommitRecord extends bothOf(partialOf(CommitDetailRecord), DryRunFields) {}
