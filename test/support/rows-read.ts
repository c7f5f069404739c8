import type pg from 'pg';

interface Plan {
  readonly 'Relation Name'?: string;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly Plans?: readonly Plan[];
}

/** A connection that explains what it is asked, runs it, and counts the rows that it reads. */
export class RowsRead {
  /** Rows read so far. */
  count = 0;
  private readonly tables: readonly string[];

  /** `tables`: whose rows are counted. */
  constructor(
    private readonly client: pg.Client,
    ...tables: readonly string[]
  ) {
    this.tables = tables;
  }

  /** Runs one statement; returns no rows. */
  async query(text: string, values: readonly unknown[]): Promise<never[]> {
    const { rows } = await this.client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Plan }] }>(
      `explain (analyze, format json) ${text}`,
      [...values],
    );
    for (const row of rows) this.count += this.readBy(row['QUERY PLAN'][0].Plan);
    return [];
  }

  private readBy(plan: Plan): number {
    const own = plan['Actual Rows'] + (plan['Rows Removed by Filter'] ?? 0);
    const parts = (plan.Plans ?? []).map((part) => this.readBy(part));
    return (
      parts.reduce((sum, part) => sum + part, 0) +
      (this.tables.includes(plan['Relation Name'] ?? '') ? own * plan['Actual Loops'] : 0)
    );
  }
}
