/**
 * Limit of the total characters of prepared texts. Each connection keeps their plans, which take some 70
 * bytes per character (measured: half a megabyte for a list of issues); everything that routes usually need
 * fits several times over. For a caller who combines filters in ever new ways, the rest is planned each time
 * and does not fill the memory of the database.
 */
const MAX_CHARACTERS = 4_000_000;

/** Names of the prepared statements of one server's connections: the same text is the same statement on each of them. */
export class ReadNames {
  private readonly names = new Map<string, string>();
  private characters = 0;

  /** Null for a text for which there is no room left. */
  nameOf(text: string): string | null {
    const known = this.names.get(text);
    if (known !== undefined) return known;
    return this.characters + text.length > MAX_CHARACTERS ? null : this.add(text);
  }

  /** Name of a text that always has one: for those that the code knows, never for one that callers determine. */
  reserve(text: string): string {
    return this.names.get(text) ?? this.add(text);
  }

  private add(text: string): string {
    this.characters += text.length;
    const name = `read_${this.names.size}`;
    this.names.set(text, name);
    return name;
  }
}
