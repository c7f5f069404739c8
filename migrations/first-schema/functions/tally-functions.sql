-- Every statement adds rows and changes none, so that no two transactions wait for one another; a job folds the rows of one subject
-- into one. Whoever links a thing, or takes a link away, holds its state meanwhile: else one who closes it at the same time would not
-- see the link, and both would count it or neither. A cascade takes links away when their thing is gone already: links of an open
-- one are taken off before.

create function tally_issues() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into issue_tallies (kind, subject_id, project_id, count) select 'author', author_id, project_id, sign * count(*) from changed where author_id is not null group by author_id, project_id union all select 'milestone', milestone_id, project_id, sign * count(*) from changed where milestone_id is not null group by milestone_id, project_id;
    return null;
  end
$$;
create trigger issues_tallied_in after insert on issues referencing new table as changed for each statement execute function tally_issues();
create trigger issues_tallied_out after delete on issues referencing old table as changed for each statement execute function tally_issues();

create function tally_changed_issues() returns trigger language plpgsql as $$
  begin
    insert into issue_tallies (kind, subject_id, project_id, count)
      select x.kind, x.subject_id, new.project_id, x.count from (values
        ('author', old.author_id, -1), ('author', new.author_id, 1), ('milestone', old.milestone_id, -1), ('milestone', new.milestone_id, 1)
      ) x(kind, subject_id, count) where x.subject_id is not null;
    return null;
  end
$$;
create trigger issues_tallied_on after update of author_id, milestone_id on issues for each row when (((old.author_id is distinct from new.author_id)
  or (old.milestone_id is distinct from new.milestone_id))) execute function tally_changed_issues();

create function tally_issue_assignees() returns trigger language plpgsql as $$
  begin
    insert into issue_tallies (kind, subject_id, project_id, count)
      select 'assignee', user_id, project_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by user_id, project_id;
    return null;
  end
$$;
create trigger issue_assignees_tallied_in after insert on issue_assignees referencing new table as changed for each statement
  execute function tally_issue_assignees();
create trigger issue_assignees_tallied_out after delete on issue_assignees referencing old table as changed for each statement
  execute function tally_issue_assignees();

create function tally_issue_labels() returns trigger language plpgsql as $$
  begin
    insert into issue_tallies (kind, subject_id, project_id, count)
      select 'label', label_id, project_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by label_id, project_id;
    return null;
  end
$$;
create trigger issue_labels_tallied_in after insert on issue_labels referencing new table as changed for each statement
  execute function tally_issue_labels();
create trigger issue_labels_tallied_out after delete on issue_labels referencing old table as changed for each statement
  execute function tally_issue_labels();

create function tally_merge_requests() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count) select 'author', author_id, project_id, sign * count(*) from changed where author_id is not null group by author_id, project_id union all select 'milestone', milestone_id, project_id, sign * count(*) from changed where milestone_id is not null group by milestone_id, project_id;
    return null;
  end
$$;
create trigger merge_requests_tallied_in after insert on merge_requests referencing new table as changed for each statement
  execute function tally_merge_requests();
create trigger merge_requests_tallied_out after delete on merge_requests referencing old table as changed for each statement
  execute function tally_merge_requests();

create function tally_changed_merge_requests() returns trigger language plpgsql as $$
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      select x.kind, x.subject_id, new.project_id, x.count from (values
        ('author', old.author_id, -1), ('author', new.author_id, 1), ('milestone', old.milestone_id, -1), ('milestone', new.milestone_id, 1)
      ) x(kind, subject_id, count) where x.subject_id is not null;
    return null;
  end
$$;
create trigger merge_requests_tallied_on after update of author_id, milestone_id on merge_requests
  for each row when (((old.author_id is distinct from new.author_id) or (old.milestone_id is distinct from new.milestone_id)))
  execute function tally_changed_merge_requests();

create function tally_merge_request_assignees() returns trigger language plpgsql as $$
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      select 'assignee', user_id, project_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by user_id, project_id;
    return null;
  end
$$;
create trigger merge_request_assignees_tallied_in after insert on merge_request_assignees referencing new table as changed for each statement
  execute function tally_merge_request_assignees();
create trigger merge_request_assignees_tallied_out after delete on merge_request_assignees referencing old table as changed for each statement
  execute function tally_merge_request_assignees();

create function tally_merge_request_reviewers() returns trigger language plpgsql as $$
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      select 'reviewer', user_id, project_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by user_id, project_id;
    return null;
  end
$$;
create trigger merge_request_reviewers_tallied_in after insert on merge_request_reviewers referencing new table as changed for each statement
  execute function tally_merge_request_reviewers();
create trigger merge_request_reviewers_tallied_out after delete on merge_request_reviewers referencing old table as changed for each statement
  execute function tally_merge_request_reviewers();

create function tally_merge_request_labels() returns trigger language plpgsql as $$
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      select 'label', label_id, project_id, case tg_op when 'INSERT' then count(*) else -count(*) end from changed group by label_id, project_id;
    return null;
  end
$$;
create trigger merge_request_labels_tallied_in after insert on merge_request_labels referencing new table as changed for each statement
  execute function tally_merge_request_labels();
create trigger merge_request_labels_tallied_out after delete on merge_request_labels referencing old table as changed for each statement
  execute function tally_merge_request_labels();

create function tally_opened_issues() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into issue_tallies (kind, subject_id, project_id, count) select 'opened_author', author_id, project_id, sign * count(*) from changed where author_id is not null and state = 'opened' group by author_id, project_id union all select 'opened_milestone', milestone_id, project_id, sign * count(*) from changed where milestone_id is not null and state = 'opened' group by milestone_id, project_id;
    return null;
  end
$$;
create trigger issues_tallied_opened_in after insert on issues referencing new table as changed for each statement
  execute function tally_opened_issues();
create trigger issues_tallied_opened_out after delete on issues referencing old table as changed for each statement
  execute function tally_opened_issues();

create function tally_opened_changed_issues() returns trigger language plpgsql as $$
  declare
    was integer := case old.state when 'opened' then 1 else 0 end;
    becomes integer := case new.state when 'opened' then 1 else 0 end;
  begin
    insert into issue_tallies (kind, subject_id, project_id, count)
      select x.kind, x.subject_id, new.project_id, x.count from (values
        ('opened_author', old.author_id, -was), ('opened_author', new.author_id, becomes), ('opened_milestone', old.milestone_id, -was), ('opened_milestone', new.milestone_id, becomes)
      ) x(kind, subject_id, count) where x.subject_id is not null and x.count <> 0;
    if was <> becomes then
      insert into issue_tallies (kind, subject_id, project_id, count) select 'opened_assignee', user_id, project_id, becomes - was from issue_assignees where issue_id = new.id union all select 'opened_label', label_id, project_id, becomes - was from issue_labels where issue_id = new.id;
    end if;
    return null;
  end
$$;
create trigger issues_tallied_opened_on after update of state, author_id, milestone_id on issues for each row when ((((old.state = 'opened')
  or (new.state = 'opened')) and ((old.state is distinct from new.state) or (old.author_id is distinct from new.author_id)
  or (old.milestone_id is distinct from new.milestone_id)))) execute function tally_opened_changed_issues();

create function tally_opened_gone_issues() returns trigger language plpgsql as $$
  begin
    insert into issue_tallies (kind, subject_id, project_id, count) select 'opened_assignee', user_id, project_id, -1 from issue_assignees where issue_id = old.id union all select 'opened_label', label_id, project_id, -1 from issue_labels where issue_id = old.id;
    return old;
  end
$$;
create trigger issues_tallied_opened_gone before delete on issues for each row when ((old.state = 'opened'))
  execute function tally_opened_gone_issues();

create function tally_opened_issue_assignees() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into issue_tallies (kind, subject_id, project_id, count)
      with held as materialized (select x.id, x.state from issues x where x.id = any(array(select issue_id from changed)) order by x.id for share)
      select 'opened_assignee', c.user_id, c.project_id, sign * count(*) from changed c join held h on h.id = c.issue_id and h.state = 'opened'
      group by c.user_id, c.project_id;
    return null;
  end
$$;
create trigger issue_assignees_tallied_opened_in after insert on issue_assignees referencing new table as changed for each statement
  execute function tally_opened_issue_assignees();
create trigger issue_assignees_tallied_opened_out after delete on issue_assignees referencing old table as changed for each statement
  execute function tally_opened_issue_assignees();

create function tally_opened_issue_labels() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into issue_tallies (kind, subject_id, project_id, count)
      with held as materialized (select x.id, x.state from issues x where x.id = any(array(select issue_id from changed)) order by x.id for share)
      select 'opened_label', c.label_id, c.project_id, sign * count(*) from changed c join held h on h.id = c.issue_id and h.state = 'opened'
      group by c.label_id, c.project_id;
    return null;
  end
$$;
create trigger issue_labels_tallied_opened_in after insert on issue_labels referencing new table as changed for each statement
  execute function tally_opened_issue_labels();
create trigger issue_labels_tallied_opened_out after delete on issue_labels referencing old table as changed for each statement
  execute function tally_opened_issue_labels();

create function tally_opened_merge_requests() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count) select 'opened_author', author_id, project_id, sign * count(*) from changed where author_id is not null and state = 'opened' group by author_id, project_id union all select 'opened_milestone', milestone_id, project_id, sign * count(*) from changed where milestone_id is not null and state = 'opened' group by milestone_id, project_id;
    return null;
  end
$$;
create trigger merge_requests_tallied_opened_in after insert on merge_requests referencing new table as changed for each statement
  execute function tally_opened_merge_requests();
create trigger merge_requests_tallied_opened_out after delete on merge_requests referencing old table as changed for each statement
  execute function tally_opened_merge_requests();

create function tally_opened_changed_merge_requests() returns trigger language plpgsql as $$
  declare
    was integer := case old.state when 'opened' then 1 else 0 end;
    becomes integer := case new.state when 'opened' then 1 else 0 end;
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      select x.kind, x.subject_id, new.project_id, x.count from (values
        ('opened_author', old.author_id, -was), ('opened_author', new.author_id, becomes), ('opened_milestone', old.milestone_id, -was), ('opened_milestone', new.milestone_id, becomes)
      ) x(kind, subject_id, count) where x.subject_id is not null and x.count <> 0;
    if was <> becomes then
      insert into merge_request_tallies (kind, subject_id, project_id, count) select 'opened_assignee', user_id, project_id, becomes - was from merge_request_assignees where merge_request_id = new.id union all select 'opened_reviewer', user_id, project_id, becomes - was from merge_request_reviewers where merge_request_id = new.id union all select 'opened_label', label_id, project_id, becomes - was from merge_request_labels where merge_request_id = new.id;
    end if;
    return null;
  end
$$;
create trigger merge_requests_tallied_opened_on after update of state, author_id, milestone_id on merge_requests
  for each row when ((((old.state = 'opened') or (new.state = 'opened')) and ((old.state is distinct from new.state)
  or (old.author_id is distinct from new.author_id) or (old.milestone_id is distinct from new.milestone_id))))
  execute function tally_opened_changed_merge_requests();

create function tally_opened_gone_merge_requests() returns trigger language plpgsql as $$
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count) select 'opened_assignee', user_id, project_id, -1 from merge_request_assignees where merge_request_id = old.id union all select 'opened_reviewer', user_id, project_id, -1 from merge_request_reviewers where merge_request_id = old.id union all select 'opened_label', label_id, project_id, -1 from merge_request_labels where merge_request_id = old.id;
    return old;
  end
$$;
create trigger merge_requests_tallied_opened_gone before delete on merge_requests for each row when ((old.state = 'opened'))
  execute function tally_opened_gone_merge_requests();

create function tally_opened_merge_request_assignees() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      with held as materialized (select x.id, x.state from merge_requests x where x.id = any(array(select merge_request_id from changed)) order by x.id for share)
      select 'opened_assignee', c.user_id, c.project_id, sign * count(*) from changed c join held h on h.id = c.merge_request_id and h.state = 'opened'
      group by c.user_id, c.project_id;
    return null;
  end
$$;
create trigger merge_request_assignees_tallied_opened_in after insert on merge_request_assignees referencing new table as changed for each statement
  execute function tally_opened_merge_request_assignees();
create trigger merge_request_assignees_tallied_opened_out after delete on merge_request_assignees referencing old table as changed for each statement
  execute function tally_opened_merge_request_assignees();

create function tally_opened_merge_request_reviewers() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      with held as materialized (select x.id, x.state from merge_requests x where x.id = any(array(select merge_request_id from changed)) order by x.id for share)
      select 'opened_reviewer', c.user_id, c.project_id, sign * count(*) from changed c join held h on h.id = c.merge_request_id and h.state = 'opened'
      group by c.user_id, c.project_id;
    return null;
  end
$$;
create trigger merge_request_reviewers_tallied_opened_in after insert on merge_request_reviewers referencing new table as changed for each statement
  execute function tally_opened_merge_request_reviewers();
create trigger merge_request_reviewers_tallied_opened_out after delete on merge_request_reviewers referencing old table as changed for each statement
  execute function tally_opened_merge_request_reviewers();

create function tally_opened_merge_request_labels() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
  begin
    insert into merge_request_tallies (kind, subject_id, project_id, count)
      with held as materialized (select x.id, x.state from merge_requests x where x.id = any(array(select merge_request_id from changed)) order by x.id for share)
      select 'opened_label', c.label_id, c.project_id, sign * count(*) from changed c join held h on h.id = c.merge_request_id and h.state = 'opened'
      group by c.label_id, c.project_id;
    return null;
  end
$$;
create trigger merge_request_labels_tallied_opened_in after insert on merge_request_labels referencing new table as changed for each statement
  execute function tally_opened_merge_request_labels();
create trigger merge_request_labels_tallied_opened_out after delete on merge_request_labels referencing old table as changed for each statement
  execute function tally_opened_merge_request_labels();
