/** Announced with v5 (`api-v4.md` 9): `paused` says it better, and addresses are nobody else's. */
export const GOING_WITH_V5 = { since: '2022-02-22', sunset: '2028-05-22' } as const;

/** Statuses that are none: the filter `paused` replaces them. */
export const NO_CONTACTS: ReadonlySet<unknown> = new Set(['active', 'paused']);
