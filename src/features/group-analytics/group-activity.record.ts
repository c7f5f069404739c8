import { Integer } from '#kernel/http/fields/scalar-fields.js';

/** How many issues were created. */
export class IssuesCountRecord {
  @Integer()
  issues_count!: number;
}

/** How many merge requests were created. */
export class MergeRequestsCountRecord {
  @Integer()
  merge_requests_count!: number;
}

/** How many users became members. */
export class NewMembersCountRecord {
  @Integer()
  new_members_count!: number;
}
