/**
 * Joins the parts of a large record. V8 copies an object of a hundred properties at once, but adding them one by one, which is what
 * spreading several parts into one object comes to, costs a hundred times as much (measured: 500 us for a project).
 */
export class RecordShape {
  /** The names of the first record, without its values. */
  private names: Record<string, undefined> | null = null;

  /** One object of all parts; later parts win. The quicker, the more alike the names of its calls are. */
  join(...parts: readonly object[]): object {
    const joined = Object.assign({ ...this.names }, ...parts) as object;
    this.names ??= Object.fromEntries(Object.keys(joined).map((name) => [name, undefined]));
    return joined;
  }
}
