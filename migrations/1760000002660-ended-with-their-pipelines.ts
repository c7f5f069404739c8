import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Ends what waits for jobs that have been removed: deployments that no request makes so, and environments that no job stops any more. */
export class EndedWithTheirPipelines1760000002660 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      update deployments set status = 'canceled', finished_at = now(), updated_at = now()
        where job_id is null and status in ('created', 'blocked');
      update environments e set state = 'available', updated_at = now() where state = 'stopping' and not exists (
        select 1 from ci_jobs j where j.project_id = e.project_id and j.environment = e.name and j.environment_action = 'stop'
          and not j.retried and j.status not in ('success', 'failed', 'canceled', 'skipped', 'manual'))`);
  }

  /** What was mended stays so. */
  async down(): Promise<void> {
    // Nothing was added.
  }
}
