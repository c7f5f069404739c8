import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTallies, dropTallies, type Tallied } from './sql/tallies.js';

const ISSUES: Tallied = {
  things: 'issues',
  tallies: 'issue_tallies',
  links: [
    ['issue_assignees', 'assignee', 'user_id'],
    ['issue_labels', 'label', 'label_id'],
  ],
};

/** Counters of the issues of an author, an assignee, a label and a milestone in each project. */
export class TallyIssues1760000002480 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createTallies(ISSUES));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropTallies(ISSUES));
  }
}
