import { nothingGiven } from '../errors.js';

/** Whether parameters say anything beside those that name the thing to change. */
export const hasChange = (params: object, ...naming: readonly string[]): boolean =>
  Object.entries(params).some(([name, value]) => !naming.includes(name) && value !== undefined);

/** @throws 400 where parameters say nothing beside those that name the thing to change */
export function requireChange(params: object, ...naming: readonly string[]): void {
  if (!hasChange(params, ...naming)) throw nothingGiven();
}
