/** Announced: `destination_slug` says what it is. */
export const DESTINATION_NAME = { since: '2023-01-22', sunset: '2028-05-22' } as const;
