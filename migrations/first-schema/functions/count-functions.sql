-- Counts in rows are kept under the locks of the rows that have them, taken in the order of their ids. A comment also says when its
-- thing was last touched. A function that serves several tables has a statement for each: a text made anew is planned anew.

create function release_object() returns trigger language plpgsql as $$
  begin
    insert into object_claims (object_key, due_at) values (old.object_key, now()) on conflict do nothing;
    return null;
  end
$$;
create trigger ci_job_artifacts_release after delete on ci_job_artifacts for each row execute function release_object();
create trigger package_files_release after delete on package_files for each row execute function release_object();
create trigger alert_metric_images_release after delete on alert_metric_images for each row execute function release_object();
create trigger relation_export_batches_release after delete on relation_export_batches for each row execute function release_object();
create trigger avatars_release after delete on avatars for each row execute function release_object();

create function count_added_artifacts() returns trigger language plpgsql as $$
  begin
    insert into project_statistics as st (project_id, job_artifacts_size)
      select project_id, sum(size) from added group by project_id order by project_id
      on conflict (project_id) do update set job_artifacts_size = st.job_artifacts_size + excluded.job_artifacts_size;
    return null;
  end
$$;
create trigger ci_job_artifacts_added after insert on ci_job_artifacts referencing new table as added for each statement
  execute function count_added_artifacts();

create function count_removed_artifacts() returns trigger language plpgsql as $$
  begin
    perform 1 from project_statistics where project_id in (select project_id from removed) order by project_id for update;
    update project_statistics st set job_artifacts_size = greatest(st.job_artifacts_size - gone.size, 0)
      from (select project_id, sum(size) as size from removed group by project_id) gone where st.project_id = gone.project_id;
    return null;
  end
$$;
create trigger ci_job_artifacts_removed after delete on ci_job_artifacts referencing old table as removed for each statement
  execute function count_removed_artifacts();

create function count_added_package_files() returns trigger language plpgsql as $$
  begin
    insert into project_statistics as st (project_id, packages_size)
      select project_id, sum(size) from added group by project_id order by project_id
      on conflict (project_id) do update set packages_size = st.packages_size + excluded.packages_size;
    return null;
  end
$$;
create trigger package_files_added after insert on package_files referencing new table as added for each statement
  execute function count_added_package_files();

create function count_removed_package_files() returns trigger language plpgsql as $$
  begin
    perform 1 from project_statistics where project_id in (select project_id from removed) order by project_id for update;
    update project_statistics st set packages_size = greatest(st.packages_size - gone.size, 0)
      from (select project_id, sum(size) as size from removed group by project_id) gone where st.project_id = gone.project_id;
    return null;
  end
$$;
create trigger package_files_removed after delete on package_files referencing old table as removed for each statement
  execute function count_removed_package_files();

create function lock_added_artifact() returns trigger language plpgsql as $$
  begin
    new.locked := coalesce((select p.locked from ci_jobs j join ci_pipelines p on p.id = j.pipeline_id where j.id = new.job_id), false);
    return new;
  end
$$;
create trigger ci_job_artifacts_locked before insert on ci_job_artifacts for each row execute function lock_added_artifact();

create function lock_artifacts_of_pipeline() returns trigger language plpgsql as $$
  begin
    update ci_job_artifacts set locked = new.locked where id in (
      select a.id from ci_job_artifacts a join ci_jobs j on j.id = a.job_id where j.pipeline_id = new.id
        order by a.id for no key update of a);
    return null;
  end
$$;
create trigger ci_pipelines_locked_artifacts after update of locked on ci_pipelines for each row when ((old.locked <> new.locked))
  execute function lock_artifacts_of_pipeline();

create function fill_issue_link() returns trigger language plpgsql as $$
  begin
    select i.project_id, i.created_at into new.project_id, new.created_at from issues i where i.id = new.issue_id;
    return new;
  end
$$;
create trigger issue_labels_filled before insert on issue_labels for each row execute function fill_issue_link();
create trigger issue_assignees_filled before insert on issue_assignees for each row execute function fill_issue_link();

create function count_open_issues() returns trigger language plpgsql as $$
  begin
    update internal_ids c set open_count = greatest(c.open_count + x.change, 0)
      from (select project_id, case tg_op when 'INSERT' then count(*) else -count(*) end as change
        from changed where state = 'opened' group by project_id) x
      where c.project_id = x.project_id and c.usage = 'issues';
    return null;
  end
$$;
create trigger issues_counted_in after insert on issues referencing new table as changed for each statement execute function count_open_issues();
create trigger issues_counted_out after delete on issues referencing old table as changed for each statement execute function count_open_issues();

create function count_issue_state() returns trigger language plpgsql as $$
  begin
    update internal_ids set open_count = greatest(open_count + case new.state when 'opened' then 1 else -1 end, 0)
      where project_id = new.project_id and usage = 'issues';
    return null;
  end
$$;
create trigger issues_counted_on after update of state on issues for each row when ((old.state is distinct from new.state))
  execute function count_issue_state();

create function fill_merge_request_link() returns trigger language plpgsql as $$
  begin
    select m.project_id, m.created_at into new.project_id, new.created_at from merge_requests m where m.id = new.merge_request_id;
    return new;
  end
$$;
create trigger merge_request_labels_filled before insert on merge_request_labels for each row execute function fill_merge_request_link();
create trigger merge_request_assignees_filled before insert on merge_request_assignees for each row execute function fill_merge_request_link();

create function count_notes() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      if not exists (select 1 from changed where noteable_type = tg_argv[0] and not system) then return null; end if;
      case tg_argv[1] when 'issues' then with things as (
    select t.id, c.notes from (select noteable_id, count(*) as notes from changed where noteable_type = tg_argv[0] and not system group by noteable_id) c
    join issues t on t.id = c.noteable_id order by t.id for no key update of t)
  update issues t set user_notes_count = greatest(t.user_notes_count + sign * things.notes, 0),
    updated_at = case when sign > 0 then greatest(t.updated_at, now()) else t.updated_at end
  from things where t.id = things.id; when 'merge_requests' then with things as (
    select t.id, c.notes from (select noteable_id, count(*) as notes from changed where noteable_type = tg_argv[0] and not system group by noteable_id) c
    join merge_requests t on t.id = c.noteable_id order by t.id for no key update of t)
  update merge_requests t set user_notes_count = greatest(t.user_notes_count + sign * things.notes, 0),
    updated_at = case when sign > 0 then greatest(t.updated_at, now()) else t.updated_at end
  from things where t.id = things.id; when 'epics' then with things as (
    select t.id, c.notes from (select noteable_id, count(*) as notes from changed where noteable_type = tg_argv[0] and not system group by noteable_id) c
    join epics t on t.id = c.noteable_id order by t.id for no key update of t)
  update epics t set user_notes_count = greatest(t.user_notes_count + sign * things.notes, 0),
    updated_at = case when sign > 0 then greatest(t.updated_at, now()) else t.updated_at end
  from things where t.id = things.id; end case;
      return null;
    end
$$;
create trigger notes_of_issues_insert after insert on notes referencing new table as changed for each statement execute function count_notes('Issue',
  'issues');
create trigger notes_of_issues_delete after delete on notes referencing old table as changed for each statement execute function count_notes('Issue',
  'issues');
create trigger notes_of_merge_requests_insert after insert on notes referencing new table as changed for each statement
  execute function count_notes('MergeRequest', 'merge_requests');
create trigger notes_of_merge_requests_delete after delete on notes referencing old table as changed for each statement
  execute function count_notes('MergeRequest', 'merge_requests');
create trigger notes_of_epics_insert after insert on notes referencing new table as changed for each statement execute function count_notes('Epic',
  'epics');
create trigger notes_of_epics_delete after delete on notes referencing old table as changed for each statement execute function count_notes('Epic',
  'epics');

create function count_votes() returns trigger language plpgsql as $$
  declare sign integer := case tg_op when 'INSERT' then 1 else -1 end;
    begin
      if not exists (select 1 from changed where awardable_type = tg_argv[0] and name in ('thumbsup', 'thumbsdown')) then return null; end if;
      case tg_argv[1] when 'issues' then with things as (
    select t.id, c.ups, c.downs from (select awardable_id, count(*) filter (where name = 'thumbsup') as ups,
        count(*) filter (where name = 'thumbsdown') as downs
      from changed where awardable_type = tg_argv[0] and name in ('thumbsup', 'thumbsdown') group by awardable_id) c
    join issues t on t.id = c.awardable_id order by t.id for no key update of t)
  update issues t set upvotes = greatest(t.upvotes + sign * things.ups, 0), downvotes = greatest(t.downvotes + sign * things.downs, 0)
  from things where t.id = things.id; when 'merge_requests' then with things as (
    select t.id, c.ups, c.downs from (select awardable_id, count(*) filter (where name = 'thumbsup') as ups,
        count(*) filter (where name = 'thumbsdown') as downs
      from changed where awardable_type = tg_argv[0] and name in ('thumbsup', 'thumbsdown') group by awardable_id) c
    join merge_requests t on t.id = c.awardable_id order by t.id for no key update of t)
  update merge_requests t set upvotes = greatest(t.upvotes + sign * things.ups, 0), downvotes = greatest(t.downvotes + sign * things.downs, 0)
  from things where t.id = things.id; when 'epics' then with things as (
    select t.id, c.ups, c.downs from (select awardable_id, count(*) filter (where name = 'thumbsup') as ups,
        count(*) filter (where name = 'thumbsdown') as downs
      from changed where awardable_type = tg_argv[0] and name in ('thumbsup', 'thumbsdown') group by awardable_id) c
    join epics t on t.id = c.awardable_id order by t.id for no key update of t)
  update epics t set upvotes = greatest(t.upvotes + sign * things.ups, 0), downvotes = greatest(t.downvotes + sign * things.downs, 0)
  from things where t.id = things.id; when 'notes' then with things as (
    select t.id, c.ups, c.downs from (select awardable_id, count(*) filter (where name = 'thumbsup') as ups,
        count(*) filter (where name = 'thumbsdown') as downs
      from changed where awardable_type = tg_argv[0] and name in ('thumbsup', 'thumbsdown') group by awardable_id) c
    join notes t on t.id = c.awardable_id order by t.id for no key update of t)
  update notes t set upvotes = greatest(t.upvotes + sign * things.ups, 0), downvotes = greatest(t.downvotes + sign * things.downs, 0)
  from things where t.id = things.id; end case;
      return null;
    end
$$;
create trigger award_emoji_of_issues_insert after insert on award_emoji referencing new table as changed for each statement
  execute function count_votes('Issue', 'issues');
create trigger award_emoji_of_issues_delete after delete on award_emoji referencing old table as changed for each statement
  execute function count_votes('Issue', 'issues');
create trigger award_emoji_of_merge_requests_insert after insert on award_emoji referencing new table as changed for each statement
  execute function count_votes('MergeRequest', 'merge_requests');
create trigger award_emoji_of_merge_requests_delete after delete on award_emoji referencing old table as changed for each statement
  execute function count_votes('MergeRequest', 'merge_requests');
create trigger award_emoji_of_notes_insert after insert on award_emoji referencing new table as changed for each statement
  execute function count_votes('Note', 'notes');
create trigger award_emoji_of_notes_delete after delete on award_emoji referencing old table as changed for each statement
  execute function count_votes('Note', 'notes');
create trigger award_emoji_of_epics_insert after insert on award_emoji referencing new table as changed for each statement
  execute function count_votes('Epic', 'epics');
create trigger award_emoji_of_epics_delete after delete on award_emoji referencing old table as changed for each statement
  execute function count_votes('Epic', 'epics');

create function fill_merge_request_review() returns trigger language plpgsql as $$
  begin
    select m.project_id, m.created_at into new.project_id, new.thing_created_at from merge_requests m where m.id = new.merge_request_id;
    return new;
  end
$$;
create trigger merge_request_reviewers_filled before insert on merge_request_reviewers for each row execute function fill_merge_request_review();
