import { Count } from '#kernel/http/fields/scalar-fields.js';

/** Number of created issues. */
export class IssuesCountRecord {
  @Count()
  issues_count!: number;
}

/** Number of created merge requests. */
export class MergeRequestsCountRecord {
  @Count()
  merge_requests_count!: number;
}

/** Number of new members. */
export class NewMembersCountRecord {
  @Count()
  new_members_count!: number;
}
