import { fillTallies, type Tallied } from './tallies.js';

/** Things with their links, and the column by which all of these tables name their thing. */
export interface OpenedTallied extends Tallied {
  readonly key: string;
}

/** Issues and their links. */
export const ISSUES: OpenedTallied = {
  things: 'issues',
  tallies: 'issue_tallies',
  key: 'issue_id',
  links: [
    ['issue_assignees', 'assignee', 'user_id'],
    ['issue_labels', 'label', 'label_id'],
  ],
};

/** Merge requests and theirs. */
export const MERGE_REQUESTS: OpenedTallied = {
  things: 'merge_requests',
  tallies: 'merge_request_tallies',
  key: 'merge_request_id',
  links: [
    ['merge_request_assignees', 'assignee', 'user_id'],
    ['merge_request_reviewers', 'reviewer', 'user_id'],
    ['merge_request_labels', 'label', 'label_id'],
  ],
};

const OWN = [
  ['author', 'author_id'],
  ['milestone', 'milestone_id'],
] as const;

const list = (kinds: readonly string[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

/** What was known before, and the same of open things alone. */
const kinds = ({ tallies, links }: OpenedTallied, withOpened: boolean): string => {
  const all = [...OWN.map(([kind]) => kind), ...links.map(([, kind]) => kind)];
  return `alter table ${tallies} drop constraint ${tallies}_kind_check,
    add constraint ${tallies}_kind_check check (kind in (${list(withOpened ? [...all, ...all.map((kind) => `opened_${kind}`)] : all)}));`;
};

const counted = (from: string, sign: string): string =>
  OWN.map(
    ([kind, column]) =>
      `select 'opened_${kind}', ${column}, project_id, ${sign}count(*) from ${from} where ${column} is not null and state = 'opened' group by ${column}, project_id`,
  ).join(' union all ');

/** The links of one thing, each worth `sign`. */
const linked = ({ links, key }: OpenedTallied, row: string, sign: string): string =>
  links
    .map(
      ([link, kind, column]) =>
        `select 'opened_${kind}', ${column}, project_id, ${sign} from ${link} where ${key} = ${row}.id`,
    )
    .join(' union all ');

/** A cascade takes links away when their thing is gone already: those of an open one are taken off before. */
const ofThings = (of: OpenedTallied): string => `
  create function tally_opened_${of.things}() returns trigger language plpgsql as $$
    declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      insert into ${of.tallies} (kind, subject_id, project_id, count) ${counted('changed', 'sign * ')};
      return null;
    end $$;
  create trigger ${of.things}_tallied_opened_in after insert on ${of.things} referencing new table as changed
    for each statement execute function tally_opened_${of.things}();
  create trigger ${of.things}_tallied_opened_out after delete on ${of.things} referencing old table as changed
    for each statement execute function tally_opened_${of.things}();

  create function tally_opened_changed_${of.things}() returns trigger language plpgsql as $$
    declare
      was integer := case old.state when 'opened' then 1 else 0 end;
      becomes integer := case new.state when 'opened' then 1 else 0 end;
    begin
      insert into ${of.tallies} (kind, subject_id, project_id, count)
        select x.kind, x.subject_id, new.project_id, x.count from (values
          ${OWN.map(([kind, column]) => `('opened_${kind}', old.${column}, -was), ('opened_${kind}', new.${column}, becomes)`).join(', ')}
        ) x(kind, subject_id, count) where x.subject_id is not null and x.count <> 0;
      if was <> becomes then
        insert into ${of.tallies} (kind, subject_id, project_id, count) ${linked(of, 'new', 'becomes - was')};
      end if;
      return null;
    end $$;
  create trigger ${of.things}_tallied_opened_on after update of state, ${OWN.map(([, column]) => column).join(', ')} on ${of.things} for each row
    when ((old.state = 'opened' or new.state = 'opened')
      and (${['state', ...OWN.map(([, column]) => column)].map((column) => `old.${column} is distinct from new.${column}`).join(' or ')}))
    execute function tally_opened_changed_${of.things}();

  create function tally_opened_gone_${of.things}() returns trigger language plpgsql as $$
    begin
      insert into ${of.tallies} (kind, subject_id, project_id, count) ${linked(of, 'old', '-1')};
      return old;
    end $$;
  create trigger ${of.things}_tallied_opened_gone before delete on ${of.things} for each row
    when (old.state = 'opened') execute function tally_opened_gone_${of.things}();
`;

/**
 * Whoever links a thing, or takes a link away, holds its state meanwhile: else one who closes or reopens it at the same time would not see the
 * link, or still see it, and both would count it or neither. A thing that is gone itself has taken its links off before.
 */
const ofLinked = ({ things, tallies, links, key }: OpenedTallied): string =>
  links
    .map(
      ([link, kind, column]) => `
  create or replace function tally_opened_${link}() returns trigger language plpgsql as $$
    declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      insert into ${tallies} (kind, subject_id, project_id, count)
        with held as materialized (select x.id, x.state from ${things} x where x.id = any(array(select ${key} from changed)) order by x.id for share)
        select 'opened_${kind}', c.${column}, c.project_id, sign * count(*) from changed c join held h on h.id = c.${key} and h.state = 'opened'
        group by c.${column}, c.project_id;
      return null;
    end $$;
`,
    )
    .join('');

const triggersOfLinks = ({ links }: OpenedTallied): string =>
  links
    .map(
      ([link]) => `
  create trigger ${link}_tallied_opened_in after insert on ${link} referencing new table as changed for each statement execute function tally_opened_${link}();
  create trigger ${link}_tallied_opened_out after delete on ${link} referencing old table as changed for each statement execute function tally_opened_${link}();
`,
    )
    .join('');

/** Counts what there is; the triggers are there already and keep all writers waiting. */
const fill = ({ things, tallies, links, key }: OpenedTallied): string => `
  insert into ${tallies} (kind, subject_id, project_id, count, folded) select f.*, true from (${counted(things, '')}
    ${links.map(([link, kind, column]) => `union all select 'opened_${kind}', l.${column}, l.project_id, count(*) from ${link} l join ${things} x on x.id = l.${key} and x.state = 'opened' group by l.${column}, l.project_id`).join(' ')}) f;
`;

/** Adds tallies of open things to those of all: kinds of their own, so that what folds or reads the others goes on. */
export const createOpenedTallies = (of: OpenedTallied): string =>
  kinds(of, true) + ofThings(of) + ofLinked(of) + triggersOfLinks(of) + fill(of);

/** Has links counted as they are now, and counts all anew while nobody writes: what was counted twice or never is put right, and what is left of subjects that are gone goes. */
export const recountTallies = (of: OpenedTallied): string => `
  lock table ${[of.things, ...of.links.map(([link]) => link), of.tallies].join(', ')} in share row exclusive mode;
  ${ofLinked(of)}
  delete from ${of.tallies};
  ${fillTallies(of)}
  ${fill(of)}
`;

/** Removes them. */
export const dropOpenedTallies = (of: OpenedTallied): string => `
  ${['in', 'out', 'on', 'gone'].map((name) => `drop trigger ${of.things}_tallied_opened_${name} on ${of.things};`).join('\n')}
  ${of.links.map(([link]) => `drop trigger ${link}_tallied_opened_out on ${link}; drop trigger ${link}_tallied_opened_in on ${link}; drop function tally_opened_${link}();`).join('\n')}
  drop function tally_opened_${of.things}(), tally_opened_changed_${of.things}(), tally_opened_gone_${of.things}();
  delete from ${of.tallies} where kind like 'opened\\_%';
  ${kinds(of, false)}
`;
