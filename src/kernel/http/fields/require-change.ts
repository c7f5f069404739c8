import { nothingGiven } from '../errors.js';

/** @throws 400 where parameters say nothing beside those that name the thing to change */
export function requireChange(params: object, ...naming: readonly string[]): void {
  const isEmpty = Object.entries(params).every(
    ([name, value]) => naming.includes(name) || value === undefined,
  );
  if (isEmpty) throw nothingGiven();
}
