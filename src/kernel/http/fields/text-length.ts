/**
 * Whether a string has more characters than the limit, as people and PostgreSQL count them: an emoji is one,
 * although it takes two units here.
 */
export function isLongerThan(text: string, maxLength: number): boolean {
  if (text.length <= maxLength) return false;
  if (text.length > 2 * maxLength) return true;
  return Array.from(text).length > maxLength;
}
