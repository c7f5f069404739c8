import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Projects that are marked for deletion and whose jobs found them not due are deleted after all, in their own time. */
export class ForgottenDeletions1760000002661 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      insert into background_jobs (queue, name, payload, run_at)
      select 'default', 'projects.delete',
        jsonb_build_object('projectId', p.id, 'markedAt', to_char(p.marked_for_deletion_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')),
        greatest(now(), p.marked_for_deletion_at
          + coalesce((select (values ->> 'deletion_adjourned_period')::int from application_settings), 0) * interval '1 day')
      from projects p where p.marked_for_deletion_at is not null and not p.pending_delete`);
  }

  /** What is to be deleted stays so. */
  async down(): Promise<void> {
    // Former versions read the same jobs.
  }
}
