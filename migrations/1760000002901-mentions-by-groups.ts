import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What a mention stands in: a note, or the description of its thing. */
const TEXT = `case when m.note_id is not null then (select n.body from notes n where n.id = m.note_id)
  when m.target_type = 'Issue' then (select t.description from issues t where t.id = m.target_id)
  when m.target_type = 'MergeRequest' then (select t.description from merge_requests t where t.id = m.target_id)
  when m.target_type = 'Epic' then (select t.description from epics t where t.id = m.target_id) end`;

/** Their own name, alone or at the end of a sentence. */
const NAME = `'(^|[^[:alnum:]_@./\`-])@' || replace(u.username, '.', '\\.') || '[.-]*([^[:alnum:]_./-]|$)'`;

/**
 * By which group's name somebody is mentioned: its members are shown to those alone who may know them. Null for their own name; 0, which code of
 * before writes too, where nobody knows. It is no foreign key: what came by a group that is gone stays closed.
 */
export class MentionsByGroups1760000002901 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table mentions add column via_group_id bigint default 0;
      update mentions x set via_group_id = null from (
          select m.ctid as place, u.username, ${TEXT} as text from mentions m join users u on u.id = m.user_id) u
        where x.ctid = u.place and strpos(lower(u.text), '@' || lower(u.username)) > 0 and u.text ~* (${NAME});
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table mentions drop column via_group_id');
  }
}
