/** Announced with v5 (`api-v4.md` 9): `merge_user` says the same of all merge requests. */
export const MERGED_BY = { since: '2022-01-22', sunset: '2028-05-22' } as const;

/** Announced with v5: `detailed_merge_status` says why. */
export const MERGE_STATUS = { since: '2022-11-22', sunset: '2028-05-22' } as const;

/** Announced with v5: rules of approval say who approves. */
export const APPROVERS = { since: '2019-06-22', sunset: '2028-05-22' } as const;
