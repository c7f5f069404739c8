import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Where the things lie whose notes and votes are counted. */
const THINGS = ['issues', 'merge_requests', 'epics'] as const;
const WITH_VOTES = [...THINGS, 'notes'] as const;

/** A comment also says when its thing was last touched. */
const countNotes = (table: string, sign = 'sign', type = 'tg_argv[0]'): string => `with things as (
    select t.id, c.notes from (select noteable_id, count(*) as notes from changed where noteable_type = ${type} and not system group by noteable_id) c
    join ${table} t on t.id = c.noteable_id order by t.id for no key update of t)
  update ${table} t set user_notes_count = greatest(t.user_notes_count + ${sign} * things.notes, 0),
    updated_at = case when ${sign} > 0 then greatest(t.updated_at, now()) else t.updated_at end
  from things where t.id = things.id`;

const VOTE = `name in ('thumbsup', 'thumbsdown')`;

const countVotes = (table: string, sign = 'sign', type = 'tg_argv[0]'): string => `with things as (
    select t.id, c.ups, c.downs from (select awardable_id, count(*) filter (where name = 'thumbsup') as ups,
        count(*) filter (where name = 'thumbsdown') as downs
      from changed where awardable_type = ${type} and ${VOTE} group by awardable_id) c
    join ${table} t on t.id = c.awardable_id order by t.id for no key update of t)
  update ${table} t set upvotes = greatest(t.upvotes + ${sign} * things.ups, 0), downvotes = greatest(t.downvotes + ${sign} * things.downs, 0)
  from things where t.id = things.id`;

const NOTED = 'noteable_type = tg_argv[0] and not system';
const VOTED = `awardable_type = tg_argv[0] and ${VOTE}`;

const replace = (name: string, counted: string, body: string): string => `
  create or replace function ${name}() returns trigger language plpgsql as $$
    declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      if not exists (select 1 from changed where ${counted}) then return null; end if;
      ${body}
      return null;
    end $$;`;

/** A statement for each table: what is a text of its own each time is planned each time. */
const planned = (tables: readonly string[], count: (table: string) => string): string =>
  `case tg_argv[1] ${tables.map((table) => `when '${table}' then ${count(table)};`).join(' ')} end case;`;

const executed = (count: (table: string, sign: string, type: string) => string): string =>
  `execute format('${count('%1$I', '$2', '$1').replaceAll("'", "''")}', tg_argv[1]) using tg_argv[0], sign;`;

/** Triggers that count notes and votes plan their statements once on a connection; planning took twice as long as counting. */
export class PlannedCounts1760000002934 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(
      replace(
        'count_notes',
        NOTED,
        planned(THINGS, (table) => countNotes(table)),
      ) +
        replace(
          'count_votes',
          VOTED,
          planned(WITH_VOTES, (table) => countVotes(table)),
        ),
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(
      replace('count_notes', NOTED, executed(countNotes)) +
        replace('count_votes', VOTED, executed(countVotes)),
    );
  }
}
