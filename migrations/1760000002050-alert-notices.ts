import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Alerts of which maintainers are still to be told by mail; what the mail says of them is read when it is written. */
export class CreateAlertNotices1760000002050 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table alert_notices (
        alert_id bigint primary key references alerts on delete cascade,
        project_id bigint not null references projects on delete cascade
      );
      create index alert_notices_project on alert_notices (project_id, alert_id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table alert_notices');
  }
}
