/** A figure of a table: name and value. */
export type Figures = Readonly<Record<string, string | number | undefined>>;

/** Collects what was measured, as tables. */
export class Report {
  private readonly tables = new Map<string, Figures[]>();
  private readonly notes: string[] = [];

  /** Adds a line to a table and prints it at once, so that a long run can be watched. */
  add(table: string, figures: Figures): void {
    this.tables.set(table, [...(this.tables.get(table) ?? []), figures]);
    process.stderr.write(`${table}: ${Object.entries(figures).map(([name, value]) => `${name}=${show(value)}`).join(' ')}\n`);
  }

  /** Adds a remark below the tables. */
  note(text: string): void {
    this.notes.push(text);
  }

  json(): Record<string, unknown> {
    return { ...Object.fromEntries(this.tables), notes: this.notes };
  }

  text(): string {
    const parts = [...this.tables].map(([name, rows]) => `\n${name}\n${table(rows)}`);
    return `${parts.join('\n')}\n${this.notes.map((note) => `\n${note}\n`).join('')}`;
  }
}

const show = (value: string | number | undefined): string =>
  typeof value === 'number' ? (Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 0)) : (value ?? '');

function table(rows: readonly Figures[]): string {
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => (line[index] ?? '').length)));
  return cells.map((line) => `  ${line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ').trimEnd()}`).join('\n');
}
