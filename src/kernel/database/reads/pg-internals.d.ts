/** The conversion of values that pg applies to its own queries; its type definitions leave this file out. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(value: unknown): unknown };
  export default utils;
}
