import type { MigrationInterface, QueryRunner } from 'typeorm';
import { createTallies, dropTallies, type Tallied } from './sql/tallies.js';

const MERGE_REQUESTS: Tallied = {
  things: 'merge_requests',
  tallies: 'merge_request_tallies',
  links: [
    ['merge_request_assignees', 'assignee', 'user_id'],
    ['merge_request_reviewers', 'reviewer', 'user_id'],
    ['merge_request_labels', 'label', 'label_id'],
  ],
};

/** Links of people carry project and time of their merge request, which never change: a review has a time of its own. */
const LINKS = `
  alter table merge_request_assignees add column project_id bigint, add column created_at timestamptz(3);
  alter table merge_request_reviewers add column project_id bigint, add column thing_created_at timestamptz(3);
  create trigger merge_request_assignees_filled before insert on merge_request_assignees
    for each row execute function fill_merge_request_link();
  create function fill_merge_request_review() returns trigger language plpgsql as $$
    begin
      select m.project_id, m.created_at into new.project_id, new.thing_created_at from merge_requests m where m.id = new.merge_request_id;
      return new;
    end $$;
  create trigger merge_request_reviewers_filled before insert on merge_request_reviewers
    for each row execute function fill_merge_request_review();
  update merge_request_assignees l set project_id = m.project_id, created_at = m.created_at from merge_requests m where m.id = l.merge_request_id;
  update merge_request_reviewers l set project_id = m.project_id, thing_created_at = m.created_at from merge_requests m where m.id = l.merge_request_id;
  alter table merge_request_assignees alter column project_id set not null, alter column created_at set not null;
  alter table merge_request_reviewers alter column project_id set not null, alter column thing_created_at set not null;
`;

const INDEXES = `
  drop index merge_request_assignees_user, merge_request_reviewers_user;
  create index merge_request_assignees_user on merge_request_assignees (user_id, project_id, created_at, merge_request_id);
  create index merge_request_assignees_user_created on merge_request_assignees (user_id, created_at, merge_request_id) include (project_id);
  create index merge_request_reviewers_user on merge_request_reviewers (user_id, project_id, thing_created_at, merge_request_id);
  create index merge_request_reviewers_user_created on merge_request_reviewers (user_id, thing_created_at, merge_request_id) include (project_id);
  create index merge_requests_project_author on merge_requests (project_id, author_id, created_at, id);
  create index merge_requests_project_source on merge_requests (project_id, source_branch, created_at, id);
`;

/** The merge requests of a person in the order of lists, and how many they are. */
export class OrderMergeRequestPeople1760000002490 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(LINKS + createTallies(MERGE_REQUESTS) + INDEXES);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      ${dropTallies(MERGE_REQUESTS)}
      drop index merge_requests_project_source, merge_requests_project_author, merge_request_reviewers_user_created, merge_request_reviewers_user,
        merge_request_assignees_user_created, merge_request_assignees_user;
      create index merge_request_assignees_user on merge_request_assignees (user_id, merge_request_id);
      create index merge_request_reviewers_user on merge_request_reviewers (user_id, merge_request_id);
      drop trigger merge_request_reviewers_filled on merge_request_reviewers;
      drop trigger merge_request_assignees_filled on merge_request_assignees;
      drop function fill_merge_request_review();
      alter table merge_request_reviewers drop column thing_created_at, drop column project_id;
      alter table merge_request_assignees drop column created_at, drop column project_id;
    `);
  }
}
