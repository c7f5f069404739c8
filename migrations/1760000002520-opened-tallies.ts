import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createOpenedTallies, dropOpenedTallies, type OpenedTallied } from './sql/opened-tallies.js';

const ISSUES: OpenedTallied = {
  things: 'issues',
  tallies: 'issue_tallies',
  key: 'issue_id',
  links: [
    ['issue_assignees', 'assignee', 'user_id'],
    ['issue_labels', 'label', 'label_id'],
  ],
};

const MERGE_REQUESTS: OpenedTallied = {
  things: 'merge_requests',
  tallies: 'merge_request_tallies',
  key: 'merge_request_id',
  links: [
    ['merge_request_assignees', 'assignee', 'user_id'],
    ['merge_request_reviewers', 'reviewer', 'user_id'],
    ['merge_request_labels', 'label', 'label_id'],
  ],
};

/** Counters of the open issues and merge requests of a person, a label and a milestone in each project. */
export class TallyOpened1760000002520 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(createOpenedTallies(ISSUES) + createOpenedTallies(MERGE_REQUESTS));
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(dropOpenedTallies(MERGE_REQUESTS) + dropOpenedTallies(ISSUES));
  }
}
