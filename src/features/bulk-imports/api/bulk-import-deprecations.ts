/** Deprecated: `destination_slug` has the same value. */
export const DESTINATION_NAME = { since: '2023-01-22', sunset: '2028-05-22' } as const;
