/** A variable as runners get it. */
export interface CiVariable {
  readonly key: string;
  readonly value: string;
  readonly public: boolean;
  readonly masked: boolean;
  /** The value is not expanded. */
  readonly raw?: boolean;
  /** The runner writes the value to a file and hands out its path. */
  readonly file?: boolean;
}

/** An image that a job or a service runs in. */
export interface JobImage {
  readonly name: string;
  readonly entrypoint: readonly string[] | null;
  readonly pullPolicy: readonly string[] | null;
}

/** A service beside a job. */
export interface JobService extends JobImage {
  readonly alias: string | null;
  readonly command: readonly string[] | null;
  readonly variables: Readonly<Record<string, string>>;
}

/** What a job leaves behind. */
export interface JobArtifacts {
  readonly name: string | null;
  readonly untracked: boolean;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly when: 'on_success' | 'on_failure' | 'always' | null;
  /** As written, such as `1 week` or `never`; null is the default of the instance. */
  readonly expireIn: string | null;
  readonly exposeAs: string | null;
  readonly public: boolean;
  /** Paths by the type of the report (`junit`, `dotenv`, `cobertura`, ...). */
  readonly reports: Readonly<Record<string, readonly string[]>>;
}

/** A cache that runners keep between jobs. */
export interface JobCache {
  readonly key: string;
  readonly untracked: boolean;
  readonly paths: readonly string[];
  readonly policy: 'pull' | 'push' | 'pull-push';
  readonly when: 'on_success' | 'on_failure' | 'always';
  readonly fallbackKeys: readonly string[];
}

/** Where a job deploys to; the texts as written, with their variables. */
export interface JobEnvironment {
  readonly name: string;
  readonly url: string | null;
  readonly action: 'start' | 'stop' | 'prepare' | 'verify' | 'access';
  /** Name of the job that stops the environment. */
  readonly onStop: string | null;
  readonly deploymentTier: 'production' | 'staging' | 'testing' | 'development' | 'other' | null;
  readonly autoStopIn: string | null;
}

/** A job that must be done before. */
export interface JobNeed {
  readonly job: string;
  readonly artifacts: boolean;
  /** The pipeline may lack the job. */
  readonly optional: boolean;
}

/** How a bridge starts a child pipeline. */
export interface JobTrigger {
  /** Files of the same commit. */
  readonly include: readonly string[];
  /** Artifacts of jobs of this pipeline that hold the configuration. */
  readonly includeArtifacts: readonly { readonly job: string; readonly artifact: string }[];
  /** The bridge has the status of its child, instead of success once that exists. */
  readonly depend: boolean;
  readonly forwardYamlVariables: boolean;
  readonly forwardPipelineVariables: boolean;
}

/** What a job does: kept in `ci_job_definitions`, read when it is processed, run or run again. */
export interface JobDefinition {
  readonly beforeScript: readonly string[];
  readonly script: readonly string[];
  readonly afterScript: readonly string[];
  readonly image: JobImage | null;
  readonly services: readonly JobService[];
  /** Of the file: global ones first, then those of the job. */
  readonly variables: readonly CiVariable[];
  readonly artifacts: JobArtifacts | null;
  readonly cache: readonly JobCache[];
  /** Null: the jobs of the stages before; a list, also an empty one: these alone. */
  readonly needs: readonly JobNeed[] | null;
  /** Whose artifacts the job gets; null: of all that come before. */
  readonly dependencies: readonly string[] | null;
  readonly environment: JobEnvironment | null;
  readonly allowFailureExitCodes: readonly number[] | null;
  readonly retry: { readonly max: number; readonly when: readonly string[] };
  /** Seconds. */
  readonly timeout: number | null;
  /** Seconds that a delayed job waits. */
  readonly startIn: number | null;
  readonly coverage: string | null;
  readonly interruptible: boolean;
  readonly resourceGroup: string | null;
  /** Number of this job among `total` of the same name; null without `parallel`. */
  readonly parallel: { readonly index: number; readonly total: number } | null;
  readonly preGetSourcesScript: readonly string[];
  readonly trigger: JobTrigger | null;
  /** The stages of the pipeline need this manual job: it holds back what comes after. */
  readonly manualConfirmation: string | null;
}
