import { Count } from '#kernel/http/fields/scalar-fields.js';

/** How many issues were created. */
export class IssuesCountRecord {
  @Count()
  issues_count!: number;
}

/** How many merge requests were created. */
export class MergeRequestsCountRecord {
  @Count()
  merge_requests_count!: number;
}

/** How many users became members. */
export class NewMembersCountRecord {
  @Count()
  new_members_count!: number;
}
