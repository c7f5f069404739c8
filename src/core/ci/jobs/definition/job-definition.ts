/** A variable in the form that runners receive. */
export interface CiVariable {
  readonly key: string;
  readonly value: string;
  readonly public: boolean;
  readonly masked: boolean;
  /** Whether the value is not expanded. */
  readonly raw?: boolean;
  /** The runner writes the value to a file and sets the variable to its path. */
  readonly file?: boolean;
}

/** Container image of a job or a service. */
export interface JobImage {
  readonly name: string;
  readonly entrypoint: readonly string[] | null;
  readonly pullPolicy: readonly string[] | null;
}

/** A service container of a job. */
export interface JobService extends JobImage {
  readonly alias: string | null;
  readonly command: readonly string[] | null;
  readonly variables: Readonly<Record<string, string>>;
}

/** The artifacts that a job uploads. */
export interface JobArtifacts {
  readonly name: string | null;
  readonly untracked: boolean;
  readonly paths: readonly string[];
  readonly exclude: readonly string[];
  readonly when: 'on_success' | 'on_failure' | 'always' | null;
  /** As written, such as `1 week` or `never`; null for the default of the instance. */
  readonly expireIn: string | null;
  readonly exposeAs: string | null;
  readonly public: boolean;
  /** Paths by report type (`junit`, `dotenv`, `cobertura`, ...). */
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

/** Environment of a job, as written, with unexpanded variables. */
export interface JobEnvironment {
  readonly name: string;
  readonly url: string | null;
  readonly action: 'start' | 'stop' | 'prepare' | 'verify' | 'access';
  /** Name of the job that stops the environment. */
  readonly onStop: string | null;
  readonly deploymentTier: 'production' | 'staging' | 'testing' | 'development' | 'other' | null;
  readonly autoStopIn: string | null;
}

/** A job that must finish first. */
export interface JobNeed {
  readonly job: string;
  readonly artifacts: boolean;
  /** Whether the job may be missing from the pipeline. */
  readonly optional: boolean;
}

/** Trigger of a child pipeline. */
export interface JobTrigger {
  /** Configuration files from the same commit. */
  readonly include: readonly string[];
  /** Artifacts of jobs of this pipeline that contain the configuration. */
  readonly includeArtifacts: readonly { readonly job: string; readonly artifact: string }[];
  /** The bridge takes the status of its child, instead of success once the child exists. */
  readonly depend: boolean;
  readonly forwardYamlVariables: boolean;
  readonly forwardPipelineVariables: boolean;
}

/** Definition of a job, stored in `ci_job_definitions`; read when the job is processed, run or retried. */
export interface JobDefinition {
  readonly beforeScript: readonly string[];
  readonly script: readonly string[];
  readonly afterScript: readonly string[];
  readonly image: JobImage | null;
  readonly services: readonly JobService[];
  /** Variables of the configuration: global ones first, then those of the job. */
  readonly variables: readonly CiVariable[];
  readonly artifacts: JobArtifacts | null;
  readonly cache: readonly JobCache[];
  /** Jobs that must finish first; null: all jobs of earlier stages; an empty list: none. */
  readonly needs: readonly JobNeed[] | null;
  /** Jobs whose artifacts this job receives; null: all earlier jobs. */
  readonly dependencies: readonly string[] | null;
  readonly environment: JobEnvironment | null;
  readonly allowFailureExitCodes: readonly number[] | null;
  readonly retry: {
    readonly max: number;
    readonly when: readonly string[];
    /** Exit codes that are retried besides `when`, or alone if that is empty. */
    readonly exitCodes?: readonly number[];
  };
  /** In seconds. */
  readonly timeout: number | null;
  /** Delay of the job in seconds. */
  readonly startIn: number | null;
  readonly coverage: string | null;
  readonly interruptible: boolean;
  readonly resourceGroup: string | null;
  /** Index of this job among `total` copies; null without `parallel`. */
  readonly parallel: { readonly index: number; readonly total: number } | null;
  readonly preGetSourcesScript: readonly string[];
  readonly trigger: JobTrigger | null;
  /** Text that a user must confirm before playing this manual job. */
  readonly manualConfirmation: string | null;
}
