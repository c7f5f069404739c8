import { nothingGiven } from '../errors.js';

/** Whether parameters contain anything besides those that identify the object to change. */
export const hasChange = (params: object, ...naming: readonly string[]): boolean =>
  Object.entries(params).some(([name, value]) => !naming.includes(name) && value !== undefined);

/** @throws 400 if parameters contain nothing besides those that identify the object to change */
export function requireChange(params: object, ...naming: readonly string[]): void {
  if (!hasChange(params, ...naming)) throw nothingGiven();
}
