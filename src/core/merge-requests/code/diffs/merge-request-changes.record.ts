import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag } from '#kernel/http/fields/scalar-fields.js';
import { DiffRecord } from '#core/repositories/commits/diff/diff.record.js';
import { MergeRequestDetailRecord } from '../../records/merge-request-detail.record.js';

/** A merge request with its changes; deprecated for v5 in favour of the list of diffs. */
export class MergeRequestChangesRecord extends MergeRequestDetailRecord {
  @ListOf(() => DiffRecord)
  changes!: DiffRecord[];

  @Flag({ description: 'There are more changes than are shown' })
  overflow!: boolean;
}
