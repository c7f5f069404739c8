import { List, ListOf, Nested } from '#kernel/http/fields/composite-fields.js';
import { Anything, Count, Decimal, Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import { PayloadArtifact, PayloadCache, PayloadDependency } from './payload-files.record.js';
import { PayloadImage, PayloadService, PayloadVariable } from './payload-images.record.js';

/** Identification of the job. */
export class PayloadJobInfo {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  stage!: string;

  @Id()
  project_id!: number;

  @Text()
  project_name!: string;

  @Decimal()
  time_in_queue_seconds!: number;

  @Text({ description: 'Of instance runners; `+Inf` for others' })
  project_jobs_running_on_instance_runners_count!: string;
}

/** Commit to check out, and how to fetch it. */
export class PayloadGitInfo {
  @Text()
  repo_url!: string;

  @Text()
  ref!: string;

  @Text()
  sha!: string;

  @Text()
  before_sha!: string;

  @Text()
  ref_type!: string;

  @List(Text())
  refspecs!: string[];

  @Count({ description: '0: everything' })
  depth!: number;
}

/** Instructions for the runner. */
export class PayloadRunnerInfo {
  @Count({ description: 'Seconds' })
  timeout!: number;

  @Text({ nullable: true })
  runner_session_url!: string | null;
}

/** A script to run. */
export class PayloadStep {
  @Text()
  name!: string;

  @List(Text())
  script!: string[];

  @Count({ description: 'Seconds' })
  timeout!: number;

  @Text()
  when!: string;

  @Flag()
  allow_failure!: boolean;
}

/** A hook script of the job. */
export class PayloadHook {
  @Text()
  name!: string;

  @List(Text())
  script!: string[];
}

/** Features of the service. */
export class PayloadFeatures {
  @Flag()
  trace_sections!: boolean;

  @List(Text())
  token_mask_prefixes!: string[];

  @List(Text())
  failure_reasons!: string[];
}

/** Everything a runner needs to run a job (`ci.md` 6.1). */
export class JobPayloadRecord {
  @Id()
  id!: number;

  @Text()
  token!: string;

  @Flag()
  allow_git_fetch!: boolean;

  @Nested(() => PayloadJobInfo)
  job_info!: PayloadJobInfo;

  @Nested(() => PayloadGitInfo)
  git_info!: PayloadGitInfo;

  @Nested(() => PayloadRunnerInfo)
  runner_info!: PayloadRunnerInfo;

  @ListOf(() => PayloadVariable)
  variables!: PayloadVariable[];

  @ListOf(() => PayloadStep)
  steps!: PayloadStep[];

  @ListOf(() => PayloadHook)
  hooks!: PayloadHook[];

  @Nested(() => PayloadImage, { nullable: true })
  image!: PayloadImage | null;

  @ListOf(() => PayloadService)
  services!: PayloadService[];

  @ListOf(() => PayloadArtifact, { nullable: true })
  artifacts!: PayloadArtifact[] | null;

  @ListOf(() => PayloadCache)
  cache!: PayloadCache[];

  @List(Anything(), { description: 'No registry is hosted' })
  credentials!: unknown[];

  @ListOf(() => PayloadDependency)
  dependencies!: PayloadDependency[];

  @Nested(() => PayloadFeatures)
  features!: PayloadFeatures;

  @Anything()
  secrets!: Readonly<Record<string, never>>;
}
