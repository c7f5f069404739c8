import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createOpenedTallies, dropOpenedTallies, ISSUES, MERGE_REQUESTS } from './sql/opened-tallies.js';

/** Counters of the open issues and merge requests of a person, a label and a milestone in each project. */
export class TallyOpened1760000002520 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createOpenedTallies(ISSUES) + createOpenedTallies(MERGE_REQUESTS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOpenedTallies(MERGE_REQUESTS) + dropOpenedTallies(ISSUES));
  }
}
