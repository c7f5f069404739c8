/** A variable as the service sends it. */
export interface JobVariable {
  readonly key: string;
  readonly value: string;
  readonly masked?: boolean;
  readonly file?: boolean;
  readonly raw?: boolean;
}

/** A script to run. */
export interface JobStep {
  readonly name: string;
  readonly script: readonly string[];
  readonly when: string;
  readonly allow_failure: boolean;
}

/** Files to send when the scripts are done. */
export interface JobArtifact {
  readonly name: string | null;
  readonly paths: readonly string[];
  readonly exclude?: readonly string[];
  readonly when: string | null;
  readonly expire_in: string | null;
  readonly artifact_type: string;
  readonly artifact_format: string;
}

/** An earlier job whose artifacts are needed. */
export interface JobDependency {
  readonly id: number;
  readonly name: string;
  readonly token: string;
  readonly artifacts_file?: { readonly filename: string; readonly size: number };
}

/** The parts of a job that a runner uses. */
export interface RunnerJob {
  readonly id: number;
  readonly token: string;
  readonly job_info: { readonly name: string; readonly stage: string };
  readonly git_info: {
    readonly repo_url: string;
    readonly sha: string;
    readonly refspecs: readonly string[];
    readonly depth: number;
  };
  readonly runner_info: { readonly timeout: number };
  readonly variables: readonly JobVariable[];
  readonly steps: readonly JobStep[];
  readonly artifacts: readonly JobArtifact[] | null;
  readonly dependencies: readonly JobDependency[];
}

/** Result of a job for its runner; `aborted`: the service no longer wanted it. */
export interface JobResult {
  readonly job: RunnerJob;
  readonly state: 'success' | 'failed' | 'aborted';
  readonly exitCode: number;
}
