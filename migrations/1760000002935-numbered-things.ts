import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Indexes of things that are looked up by what names them in their project, where other indexes begin with the project too. */
const INDEXES = [
  { table: 'issues', index: 'issues_project_iid', columns: 'project_id, iid' },
  { table: 'merge_requests', index: 'merge_requests_project_iid', columns: 'project_id, iid' },
  { table: 'ci_pipelines', index: 'ci_pipelines_project_iid', columns: 'project_id, iid' },
  { table: 'alerts', index: 'alerts_project_iid', columns: 'project_id, iid' },
  { table: 'error_tracking_errors', index: 'error_tracking_errors_group', columns: 'project_id, group_key' },
];

/**
 * The index by the name is the newest one of its table. Of indexes that seem as good as each other, as all do while nobody has analyzed the
 * table, the planner takes the newest: it took one by the project alone, and read all things of the project for each that was looked up.
 */
export class NumberedThings1760000002935 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const { table, index, columns } of INDEXES)
      await runner.query(`
        create unique index ${index}_again on ${table} (${columns});
        drop index ${index};
        alter index ${index}_again rename to ${index};
      `);
  }

  /** What was before has the same indexes, only older. */
  async down(): Promise<void> {}
}
