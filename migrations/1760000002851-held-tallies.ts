import type { MigrationInterface, QueryRunner } from 'typeorm';
import { ISSUES, MERGE_REQUESTS, recountTallies } from './sql/opened-tallies.js';

/** Links that go hold the state of their thing, as those that come do; what was counted twice or never until now is counted anew. */
export class HeldTallies1760000002851 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(recountTallies(ISSUES));
    await runner.query(recountTallies(MERGE_REQUESTS));
  }

  /** Counts that are right, and functions that keep them so, serve what was before as well. */
  async down(): Promise<void> {}
}
