const MAX_LENGTH = 255;
const INNER = /^[a-zA-Z0-9_/$.{} -]+$/;

const CHARACTERS =
  "can contain only letters, digits, '-', '_', '/', '$', '{', '}', '.', and spaces, but it cannot start or end with '/'";

/** Returns the problem of the name of an environment, or null. */
export function environmentNameProblem(name: string): string | null {
  if (name.length > MAX_LENGTH) return `is too long (maximum is ${MAX_LENGTH} characters)`;
  return !INNER.test(name) || name.startsWith('/') || name.endsWith('/') ? CHARACTERS : null;
}

/** Returns the folder of an environment: `review` for `review/feature`, null without a slash. */
export const environmentType = (name: string): string | null =>
  name.includes('/') ? (name.split('/', 1)[0] ?? null) : null;
