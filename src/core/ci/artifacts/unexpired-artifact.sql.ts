/**
 * SQL condition: the artifact with this alias exists for its readers. Expired ones count as removed before they are; kept ones, and
 * those that are locked for the latest success of their ref, do not expire.
 */
export const isUnexpiredSql = (artifact: string): string =>
  `(${artifact}.expire_at is null or ${artifact}.expire_at > now() or ${artifact}.kept or ${artifact}.locked)`;
