/** Deprecated for v5 (`api-v4.md` 9): `merge_user` has the same value for all merge requests. */
export const MERGED_BY = { since: '2022-01-22', sunset: '2028-05-22' } as const;

/** Deprecated for v5: `detailed_merge_status` includes the reason. */
export const MERGE_STATUS = { since: '2022-11-22', sunset: '2028-05-22' } as const;

/** Deprecated for v5: approval rules name the approvers. */
export const APPROVERS = { since: '2019-06-22', sunset: '2028-05-22' } as const;
