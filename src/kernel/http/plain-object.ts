/** An object of parsed JSON or of a form: any property may be missing or have another type. */
export type PlainObject = Readonly<Record<string, unknown>>;

/** Returns whether a value is an object and not an array. */
export const isPlainObject = (value: unknown): value is PlainObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns the value if it is an object and not an array; null otherwise. */
export const plainObjectOf = (value: unknown): PlainObject | null => (isPlainObject(value) ? value : null);
