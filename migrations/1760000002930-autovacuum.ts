import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Rows come and go within seconds to hours: a scan of what is left must not walk over the dead of a whole day. */
const QUEUES = [
  'ci_pending_jobs',
  'issue_tallies',
  'merge_request_tallies',
  'object_claims',
  'running_pushes',
];
/** Large, and expired in batches: a fifth of them, the usual share, may be millions of dead rows. */
const EXPIRED = [
  'audit_events',
  'ci_trace_chunks',
  'events',
  'oauth_tokens',
  'sent_notifications',
  'sessions',
];

const OF_QUEUES = { autovacuum_vacuum_scale_factor: 0, autovacuum_vacuum_threshold: 1_000 };
const OF_EXPIRED = { autovacuum_vacuum_scale_factor: 0.01, autovacuum_vacuum_threshold: 1_000 };

/** When autovacuum comes to tables of which rows go as fast as they come. */
export class Autovacuum1760000002930 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await this.change(
      runner,
      (options) =>
        `set (${Object.entries(options)
          .map(([name, value]) => `${name} = ${value}`)
          .join(', ')})`,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await this.change(runner, (options) => `reset (${Object.keys(options).join(', ')})`);
  }

  private async change(runner: QueryRunner, to: (options: object) => string): Promise<void> {
    for (const table of QUEUES) await runner.query(`alter table ${table} ${to(OF_QUEUES)}`);
    for (const table of EXPIRED) await runner.query(`alter table ${table} ${to(OF_EXPIRED)}`);
  }
}
