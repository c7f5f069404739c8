-- Foreign keys between tables that name each other.

alter table managed_licenses add foreign key (project_id) references projects on delete cascade;
alter table ci_pipelines add foreign key (bridge_id) references ci_jobs on delete set null;
alter table ci_pipelines add foreign key (merge_request_id) references merge_requests on delete set null;
alter table ci_job_definitions add foreign key (job_id) references ci_jobs on delete cascade;
alter table ci_test_reports add foreign key (artifact_id) references ci_job_artifacts on delete cascade;
