-- What hangs on a thing by type and id goes with it, also by cascades. Activity events outlive what they are about and tell nothing of
-- it any more: their subject is 0 where not all could read it that see the project's events. A lost address is forgotten by the end
-- of the transaction, because a change of the first address moves addresses between two tables. Without a row for whoever alone might
-- take a protection away, everybody who may push settings could.

create function remove_talk() returns trigger language plpgsql as $$
  begin
    delete from notes x using changed where x.noteable_type = tg_argv[0] and x.noteable_id = changed.id;
    delete from award_emoji x using changed where x.awardable_type = tg_argv[0] and x.awardable_id = changed.id;
    delete from subscriptions x using changed where x.target_type = tg_argv[0] and x.target_id = changed.id;
    delete from mentions x using changed where x.target_type = tg_argv[0] and x.target_id = changed.id;
    delete from timelogs x using changed where x.target_type = tg_argv[0] and x.target_id = changed.id;
    return null;
  end
$$;
create trigger issues_talk_removed after delete on issues referencing old table as changed for each statement execute function remove_talk('Issue');
create trigger merge_requests_talk_removed after delete on merge_requests referencing old table as changed for each statement
  execute function remove_talk('MergeRequest');
create trigger snippets_talk_removed after delete on snippets referencing old table as changed for each statement
  execute function remove_talk('Snippet');
create trigger labels_talk_removed after delete on labels referencing old table as changed for each statement execute function remove_talk('Label');
create trigger epics_talk_removed after delete on epics referencing old table as changed for each statement execute function remove_talk('Epic');

create function remove_emoji_of_notes() returns trigger language plpgsql as $$
  begin
    delete from award_emoji x using changed where x.awardable_type = 'Note' and x.awardable_id = changed.id;
    return null;
  end
$$;
create trigger notes_emoji_removed after delete on notes referencing old table as changed for each statement execute function remove_emoji_of_notes();

create function leave_events_of_subjects() returns trigger language plpgsql as $$
  begin
    update events e set target_id = null, target_iid = null, payload = null, subject_id = case
        when coalesce((to_jsonb(g) ->> 'confidential')::boolean, to_jsonb(g) ->> 'visibility' <> 'public', false)
          or e.kind / 16 in (6, 7, 8, 9, 11) and exists (select 1 from notes n where n.id = e.target_id and n.internal) then 0 end
      from gone g where e.subject_id = g.id and e.kind / 16 = any(tg_argv[0]::smallint[]) and e.kind <> all(tg_argv[1]::smallint[]) and (e.group_id is not null or exists (select 1 from projects p where p.id = e.project_id));
    return null;
  end
$$;
create trigger events_of_issues after delete on issues referencing old table as gone for each statement
  execute function leave_events_of_subjects('{2,6}', '{}');
create trigger events_of_merge_requests after delete on merge_requests referencing old table as gone for each statement
  execute function leave_events_of_subjects('{3,7}', '{}');
create trigger events_of_milestones after delete on milestones referencing old table as gone for each statement
  execute function leave_events_of_subjects('{4}', '{74}');
create trigger events_of_snippets after delete on snippets referencing old table as gone for each statement
  execute function leave_events_of_subjects('{8}', '{}');
create trigger events_of_epics after delete on epics referencing old table as gone for each statement
  execute function leave_events_of_subjects('{10,11}', '{}');

create function leave_events_of_notes() returns trigger language plpgsql as $$
  begin
    update events e set target_id = null, target_iid = null, payload = null,
        subject_id = case when g.internal then 0 when g.noteable_id is not null then e.subject_id end
      from gone g where e.subject_id = coalesce(g.noteable_id, g.id) and e.target_id = g.id and e.kind / 16 in (6, 7, 8, 9, 11) and (e.group_id is not null or exists (select 1 from projects p where p.id = e.project_id));
    return null;
  end
$$;
create trigger events_of_notes after delete on notes referencing old table as gone for each statement execute function leave_events_of_notes();

create function forget_lost_notification_email() returns trigger language plpgsql as $$
  declare
    changed constant jsonb := to_jsonb(old);
    owner constant bigint := coalesce((changed->>'user_id')::bigint, (changed->>'id')::bigint);
  begin
    update notification_settings s set notification_email = null, updated_at = now()
      where s.user_id = owner and s.notification_email is not null
        and not exists (select from users u
          where u.id = owner and u.email = s.notification_email and u.confirmed_at is not null)
        and not exists (select from user_emails e
          where e.user_id = owner and e.email = s.notification_email and e.confirmed_at is not null);
    return null;
  end
$$;
create constraint trigger users_lost_email after update of email on users deferrable initially deferred
  for each row when ((old.email is distinct from new.email)) execute function forget_lost_notification_email();
create constraint trigger user_emails_lost after delete or update of email on user_emails deferrable initially deferred for each row
  execute function forget_lost_notification_email();

create function forget_notification_settings() returns trigger language plpgsql as $$
  begin
    delete from notification_settings s using gone g where s.source_type = tg_argv[0] and s.source_id = g.id;
    return null;
  end
$$;
create trigger projects_notification_settings after delete on projects referencing old table as gone for each statement
  execute function forget_notification_settings('Project');
create trigger namespaces_notification_settings after delete on namespaces referencing old table as gone for each statement
  execute function forget_notification_settings('Namespace');

create function remove_notes_of_source() returns trigger language plpgsql as $$
  begin
    delete from notes n using changed, note_sources x
      where x.source_type = tg_argv[0] and x.source_id = changed.id and n.id = x.note_id;
    return null;
  end
$$;
create trigger issues_notes_of_source_removed after delete on issues referencing old table as changed for each statement
  execute function remove_notes_of_source('Issue');
create trigger merge_requests_notes_of_source_removed after delete on merge_requests referencing old table as changed for each statement
  execute function remove_notes_of_source('MergeRequest');
create trigger epics_notes_of_source_removed after delete on epics referencing old table as changed for each statement
  execute function remove_notes_of_source('Epic');
create trigger projects_notes_of_source_removed after delete on projects referencing old table as changed for each statement
  execute function remove_notes_of_source('Commit');

create function collect_commits_of(project bigint) returns void language sql as $$
  insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from merge_requests t  cross join lateral (values (t.base_sha), (t.start_sha), (t.head_sha), (t.merge_commit_sha), (t.squash_commit_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing) and t.project_id = project; insert into named_commits (project_id, sha) select distinct m.project_id as project_id, v.sha
  from merge_request_versions t join merge_requests m on m.id = t.merge_request_id cross join lateral (values (t.base_sha), (t.start_sha), (t.head_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = m.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = m.project_id and k.sha = v.sha and not k.is_missing) and m.project_id = project; insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from ci_pipelines t  cross join lateral (values (t.sha), (t.before_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing) and t.project_id = project; insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from deployments t  cross join lateral (values (t.sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing) and t.project_id = project; insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from notes t  cross join lateral (values (t.commit_id), (t.position->>'base_sha'), (t.position->>'start_sha'), (t.position->>'head_sha')) v(sha)
  where (t.commit_id is not null or t.position is not null) and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing) and t.project_id = project; insert into named_commits (project_id, sha) select distinct t.source_id as project_id, v.sha
  from note_sources t  cross join lateral (values (t.commit_sha)) v(sha)
  where t.source_type = 'Commit' and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.source_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.source_id and k.sha = v.sha and not k.is_missing) and t.source_id = project
$$;

create function name_commits_of_merge_requests() returns trigger language plpgsql as $$
  begin
      insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from changed t  cross join lateral (values (t.base_sha), (t.start_sha), (t.head_sha), (t.merge_commit_sha), (t.squash_commit_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing);
      return null;
    end
$$;
create trigger merge_requests_name_commits after insert on merge_requests referencing new table as changed for each statement
  execute function name_commits_of_merge_requests();

create function name_commits_of_merge_request_versions() returns trigger language plpgsql as $$
  begin
      insert into named_commits (project_id, sha) select distinct m.project_id as project_id, v.sha
  from changed t join merge_requests m on m.id = t.merge_request_id cross join lateral (values (t.base_sha), (t.start_sha), (t.head_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = m.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = m.project_id and k.sha = v.sha and not k.is_missing);
      return null;
    end
$$;
create trigger merge_request_versions_name_commits after insert on merge_request_versions referencing new table as changed for each statement
  execute function name_commits_of_merge_request_versions();

create function name_commits_of_ci_pipelines() returns trigger language plpgsql as $$
  begin
      insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from changed t  cross join lateral (values (t.sha), (t.before_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing);
      return null;
    end
$$;
create trigger ci_pipelines_name_commits after insert on ci_pipelines referencing new table as changed for each statement
  execute function name_commits_of_ci_pipelines();

create function name_commits_of_deployments() returns trigger language plpgsql as $$
  begin
      insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from changed t  cross join lateral (values (t.sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing);
      return null;
    end
$$;
create trigger deployments_name_commits after insert on deployments referencing new table as changed for each statement
  execute function name_commits_of_deployments();

create function name_commits_of_notes() returns trigger language plpgsql as $$
  begin
      insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from changed t  cross join lateral (values (t.commit_id), (t.position->>'base_sha'), (t.position->>'start_sha'), (t.position->>'head_sha')) v(sha)
  where (t.commit_id is not null or t.position is not null) and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing);
      return null;
    end
$$;
create trigger notes_name_commits after insert on notes referencing new table as changed for each statement execute function name_commits_of_notes();

create function name_commits_of_note_sources() returns trigger language plpgsql as $$
  begin
      insert into named_commits (project_id, sha) select distinct t.source_id as project_id, v.sha
  from changed t  cross join lateral (values (t.commit_sha)) v(sha)
  where t.source_type = 'Commit' and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.source_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.source_id and k.sha = v.sha and not k.is_missing);
      return null;
    end
$$;
create trigger note_sources_name_commits after insert on note_sources referencing new table as changed for each statement
  execute function name_commits_of_note_sources();

create function name_commits_of_merge_request() returns trigger language plpgsql as $$
  begin
          insert into named_commits (project_id, sha) select distinct t.project_id as project_id, v.sha
  from (select new.*) t  cross join lateral (values (t.base_sha), (t.start_sha), (t.head_sha), (t.merge_commit_sha), (t.squash_commit_sha)) v(sha)
  where true and v.sha ~ '^[0-9a-f]{40}$' and v.sha !~ '^0+$'
    and exists (select 1 from repositories r where r.owner_type = 'Project' and r.owner_id = t.project_id and r.kind = 'code')
    and not exists (select 1 from kept_commits k where k.project_id = t.project_id and k.sha = v.sha and not k.is_missing);
          return null;
        end
$$;
create trigger merge_requests_rename_commits after update on merge_requests for each row when ((((((old.base_sha is distinct from new.base_sha)
  or (old.start_sha is distinct from new.start_sha)) or (old.head_sha is distinct from new.head_sha))
  or (old.merge_commit_sha is distinct from new.merge_commit_sha)) or (old.squash_commit_sha is distinct from new.squash_commit_sha)))
  execute function name_commits_of_merge_request();

create function note_second_factor_asked() returns trigger language plpgsql as $$
  begin
    if new.settings->'require_two_factor_authentication' is distinct from 'true'::jsonb then
      new.second_factor_asked_at = null;
    elsif new.second_factor_asked_at is null then
      new.second_factor_asked_at = now();
    end if;
    return new;
  end
$$;
create trigger namespaces_second_factor_asked before insert or update of settings on namespaces for each row
  execute function note_second_factor_asked();

create function keep_protection_closed() returns trigger language plpgsql as $$
  begin
    if not exists (select 1 from users where id = old.user_id)
      and not exists (select 1 from namespaces where id = old.group_id)
      and exists (select 1 from protected_refs where id = old.protected_ref_id)
      and not exists (select 1 from protected_ref_access_levels
        where protected_ref_id = old.protected_ref_id and kind = 'unprotect')
    then
      insert into protected_ref_access_levels (protected_ref_id, kind, access_level)
        values (old.protected_ref_id, 'unprotect', 60);
    end if;
    return null;
  end
$$;
create trigger protected_ref_access_levels_closed after delete on protected_ref_access_levels for each row when (((old.kind = 'unprotect')
  and (old.access_level is null))) execute function keep_protection_closed();
