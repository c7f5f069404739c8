import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The sizes of projects follow their artifacts by triggers: cascades count too. One statement changes each project once, and projects are
 * locked in the order of their ids. Pipelines of a ref that have a parent are no latest success of their own: the index of those leaves them out.
 */
export class CountArtifacts1760000001450 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function count_added_artifacts() returns trigger language plpgsql as $$
        begin
          insert into project_statistics as st (project_id, job_artifacts_size)
            select project_id, sum(size) from added group by project_id order by project_id
            on conflict (project_id) do update set job_artifacts_size = st.job_artifacts_size + excluded.job_artifacts_size;
          return null;
        end $$;
      create trigger ci_job_artifacts_added after insert on ci_job_artifacts
        referencing new table as added for each statement execute function count_added_artifacts();

      create function count_removed_artifacts() returns trigger language plpgsql as $$
        begin
          perform 1 from project_statistics where project_id in (select project_id from removed) order by project_id for update;
          update project_statistics st set job_artifacts_size = greatest(st.job_artifacts_size - gone.size, 0)
            from (select project_id, sum(size) as size from removed group by project_id) gone where st.project_id = gone.project_id;
          return null;
        end $$;
      create trigger ci_job_artifacts_removed after delete on ci_job_artifacts
        referencing old table as removed for each statement execute function count_removed_artifacts();

      create index ci_pipelines_ref_latest on ci_pipelines (project_id, ref, id desc) where status = 'success' and parent_id is null;
      create index ci_jobs_pipeline_name on ci_jobs (pipeline_id, name);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index ci_jobs_pipeline_name;
      drop index ci_pipelines_ref_latest;
      drop trigger ci_job_artifacts_removed on ci_job_artifacts;
      drop trigger ci_job_artifacts_added on ci_job_artifacts;
      drop function count_removed_artifacts;
      drop function count_added_artifacts;
    `);
  }
}
