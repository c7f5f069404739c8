import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Kinds of events of comments, divided by 16. */
const NOTES = '6, 7, 8, 9, 11';

/** With the project go all of its events: these need no change before. */
const STAYS = `(e.group_id is not null or exists (select 1 from projects p where p.id = e.project_id))`;

/**
 * What people have done is kept when that goes to which they did it, but tells nothing of it any more. The subject is 0 where not all could read it
 * that see the project's events: confidential issues, snippets that are not public, internal notes.
 */
const UP = `
  alter function remove_events_of_subjects() rename to leave_events_of_subjects;
  alter function remove_events_of_notes() rename to leave_events_of_notes;
  create or replace function leave_events_of_subjects() returns trigger language plpgsql as $$
  begin
    update events e set target_id = null, target_iid = null, payload = null, subject_id = case
        when coalesce((to_jsonb(g) ->> 'confidential')::boolean, to_jsonb(g) ->> 'visibility' <> 'public', false)
          or e.kind / 16 in (${NOTES}) and exists (select 1 from notes n where n.id = e.target_id and n.internal) then 0 end
      from gone g where e.subject_id = g.id and e.kind / 16 = any(tg_argv[0]::smallint[]) and e.kind <> all(tg_argv[1]::smallint[]) and ${STAYS};
    return null;
  end $$;
  create or replace function leave_events_of_notes() returns trigger language plpgsql as $$
  begin
    update events e set target_id = null, target_iid = null, payload = null,
        subject_id = case when g.internal then 0 when g.noteable_id is not null then e.subject_id end
      from gone g where e.subject_id = coalesce(g.noteable_id, g.id) and e.target_id = g.id and e.kind / 16 in (${NOTES}) and ${STAYS};
    return null;
  end $$;
`;

const DOWN = `
  create or replace function leave_events_of_subjects() returns trigger language plpgsql as $$
  begin
    delete from events e using gone where e.subject_id = gone.id and e.kind / 16 = any(tg_argv[0]::smallint[])
      and e.kind <> all(tg_argv[1]::smallint[]);
    return null;
  end $$;
  create or replace function leave_events_of_notes() returns trigger language plpgsql as $$
  begin
    delete from events e using gone where e.subject_id = coalesce(gone.noteable_id, gone.id)
      and e.target_id = gone.id and e.kind / 16 in (${NOTES});
    return null;
  end $$;
  alter function leave_events_of_subjects() rename to remove_events_of_subjects;
  alter function leave_events_of_notes() rename to remove_events_of_notes;
`;

/** Activity events outlive what they are about. */
export class EventsOfGoneTargets1760000002852 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(UP);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(DOWN);
  }
}
