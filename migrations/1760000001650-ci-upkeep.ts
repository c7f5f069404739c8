import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * What is looked for every few minutes is found without walking through what need not be touched: each has an index of little else. For that
 * artifacts know by themselves whether their pipeline is locked: many have expired and stay, as those of the latest success of a ref.
 */
export class KeepCiUp1760000001650 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index ci_jobs_open_bridges on ci_jobs (id) where kind = 'bridge' and status in ('pending', 'running');
      create index ci_pipelines_locked on ci_pipelines (id) where locked;
      create index projects_keep_no_artifacts on projects (id) where settings -> 'keep_latest_artifact' = 'false';

      alter table ci_job_artifacts add column locked boolean not null default false;
      update ci_job_artifacts a set locked = true from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id
        where j.id = a.job_id and p.locked;

      create function lock_added_artifact() returns trigger language plpgsql as $$
        begin
          new.locked := coalesce((select p.locked from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id where j.id = new.job_id), false);
          return new;
        end $$;
      create trigger ci_job_artifacts_locked before insert on ci_job_artifacts for each row execute function lock_added_artifact();

      create function lock_artifacts_of_pipeline() returns trigger language plpgsql as $$
        begin
          update ci_job_artifacts set locked = new.locked where id in (
            select a.id from ci_job_artifacts a join ci_jobs j on j.id = a.job_id where j.pipeline_id = new.id
              order by a.id for no key update of a);
          return null;
        end $$;
      create trigger ci_pipelines_locked_artifacts after update of locked on ci_pipelines for each row
        when (old.locked <> new.locked) execute function lock_artifacts_of_pipeline();

      create index ci_job_artifacts_due on ci_job_artifacts (expire_at, id) where expire_at is not null and not kept and not locked;
      drop index ci_job_artifacts_expire_at;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index ci_job_artifacts_expire_at on ci_job_artifacts (expire_at, id) where expire_at is not null;
      drop trigger ci_pipelines_locked_artifacts on ci_pipelines;
      drop trigger ci_job_artifacts_locked on ci_job_artifacts;
      drop function lock_artifacts_of_pipeline;
      drop function lock_added_artifact;
      alter table ci_job_artifacts drop column locked;
      drop index projects_keep_no_artifacts;
      drop index ci_pipelines_locked;
      drop index ci_jobs_open_bridges;
    `);
  }
}
