/** A table of things, what they link to, and the table that tallies them. */
export interface Tallied {
  readonly things: string;
  readonly tallies: string;
  /** Tables of links that carry the project of their thing: their kind of subject, and the column that names it. */
  readonly links: readonly (readonly [table: string, kind: string, column: string])[];
}

/** Kinds of subjects that a thing itself names. */
const OWN = [
  ['author', 'author_id'],
  ['milestone', 'milestone_id'],
] as const;

const kindsOf = ({ links }: Tallied): string =>
  [...OWN, ...links.map(([, kind]) => [kind] as const)].map(([kind]) => `'${kind}'`).join(', ');

/**
 * Every statement adds rows and changes none, so that no two transactions wait for one another; a job folds the rows of one subject into one.
 * There is no foreign key: what a cascade takes away is counted after its parent is gone.
 */
const table = (of: Tallied): string => `
  create table ${of.tallies} (
    kind text not null check (kind in (${kindsOf(of)})),
    subject_id bigint not null,
    project_id bigint not null,
    count bigint not null,
    folded boolean not null default false
  );
`;

const indexes = ({ tallies }: Tallied): string => `
  create index ${tallies}_subject on ${tallies} (subject_id, kind, project_id) include (count);
  create index ${tallies}_loose on ${tallies} (kind, subject_id, project_id) where not folded;
`;

const counted = (from: string, sign: string): string =>
  OWN.map(
    ([kind, column]) =>
      `select '${kind}', ${column}, project_id, ${sign}count(*) from ${from} where ${column} is not null group by ${column}, project_id`,
  ).join(' union all ');

const ofThings = ({ things, tallies }: Tallied): string => `
  create function tally_${things}() returns trigger language plpgsql as $$
    declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      insert into ${tallies} (kind, subject_id, project_id, count) ${counted('changed', 'sign * ')};
      return null;
    end $$;
  create trigger ${things}_tallied_in after insert on ${things} referencing new table as changed for each statement execute function tally_${things}();
  create trigger ${things}_tallied_out after delete on ${things} referencing old table as changed for each statement execute function tally_${things}();

  create function tally_changed_${things}() returns trigger language plpgsql as $$
    begin
      insert into ${tallies} (kind, subject_id, project_id, count)
        select x.kind, x.subject_id, new.project_id, x.count from (values
          ${OWN.map(([kind, column]) => `('${kind}', old.${column}, -1), ('${kind}', new.${column}, 1)`).join(', ')}
        ) x(kind, subject_id, count) where x.subject_id is not null;
      return null;
    end $$;
  create trigger ${things}_tallied_on after update of ${OWN.map(([, column]) => column).join(', ')} on ${things} for each row
    when (${OWN.map(([, column]) => `old.${column} is distinct from new.${column}`).join(' or ')})
    execute function tally_changed_${things}();
`;

const ofLinks = ({ tallies, links }: Tallied): string =>
  links
    .map(
      ([link, kind, column]) => `
  create function tally_${link}() returns trigger language plpgsql as $$
    begin
      insert into ${tallies} (kind, subject_id, project_id, count)
        select '${kind}', ${column}, project_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by ${column}, project_id;
      return null;
    end $$;
  create trigger ${link}_tallied_in after insert on ${link} referencing new table as changed for each statement execute function tally_${link}();
  create trigger ${link}_tallied_out after delete on ${link} referencing old table as changed for each statement execute function tally_${link}();
`,
    )
    .join('');

/** Counts what there is; the triggers are there already and keep all writers waiting. */
export const fillTallies = ({ things, tallies, links }: Tallied): string => `
  insert into ${tallies} (kind, subject_id, project_id, count) ${counted(things, '')}
    ${links.map(([link, kind, column]) => `union all select '${kind}', ${column}, project_id, count(*) from ${link} group by ${column}, project_id`).join(' ')};
  update ${tallies} set folded = true;
`;

/** Makes the table and what keeps it; counts what there is. */
export const createTallies = (of: Tallied): string =>
  table(of) + ofThings(of) + ofLinks(of) + fillTallies(of) + indexes(of);

/** Removes both. */
export const dropTallies = ({ things, tallies, links }: Tallied): string => `
  drop trigger ${things}_tallied_on on ${things};
  drop trigger ${things}_tallied_out on ${things};
  drop trigger ${things}_tallied_in on ${things};
  ${links.map(([link]) => `drop trigger ${link}_tallied_out on ${link}; drop trigger ${link}_tallied_in on ${link}; drop function tally_${link}();`).join('\n')}
  drop function tally_changed_${things}(), tally_${things}();
  drop table ${tallies};
`;
