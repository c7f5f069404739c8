import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When the user of a session last proved who they are, and whether the browser keeps the session when it is closed. */
export class ExtendSessions1760000000800 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table sessions
        add column remembered boolean not null default false,
        add column authenticated_at timestamptz(3) not null default now();
      update sessions set authenticated_at = created_at;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table sessions drop column remembered, drop column authenticated_at');
  }
}
