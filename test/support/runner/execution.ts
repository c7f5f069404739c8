import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { findFiles, pack, unpack } from './archive.js';
import type { JobArtifact, JobResult, RunnerJob } from './job.js';
import type { RunnerService } from './service.js';
import { Shell } from './shell.js';
import { RunnerTrace } from './trace.js';
import { environmentOf } from './variables.js';

/** Options of the runner for a job. */
export interface ExecutionOptions {
  /** URL for fetching the repository, if not that of the service: `clone_url` of a runner's configuration. */
  readonly cloneUrl?: string;
}

/** Runs one job from its sources to its artifacts, in a separate folder that is removed afterwards. */
export class Execution {
  private readonly folder = mkdtempSync(join(tmpdir(), 'test-runner-'));
  private readonly project = join(this.folder, 'project');
  private readonly trace: RunnerTrace;
  private readonly shell: Shell;
  private environment: Record<string, string> = {};
  private isAborted = false;

  constructor(
    private readonly service: RunnerService,
    private readonly job: RunnerJob,
    private readonly options: ExecutionOptions,
  ) {
    mkdirSync(this.project);
    this.trace = new RunnerTrace(service, job, () => this.abort());
    this.shell = new Shell(this.project, (text) => this.trace.write(text));
  }

  async run(): Promise<JobResult> {
    try {
      const { exitCode, reason } = await this.runAll();
      const state = exitCode === 0 ? 'success' : 'failed';
      const ended = exitCode === 0 ? { state } : { state, failure_reason: reason, exit_code: exitCode };
      const isTaken = !this.isAborted && (await this.trace.finish(ended));
      return { job: this.job, state: isTaken ? state : 'aborted', exitCode };
    } finally {
      this.trace.close();
      rmSync(this.folder, { recursive: true, force: true });
    }
  }

  private async runAll(): Promise<{ exitCode: number; reason: string }> {
    this.environment = await environmentOf(this.job, this.project, this.folder);
    try {
      await this.checkOut();
      await this.fetchArtifacts();
    } catch (error) {
      this.trace.write(`ERROR: ${String(error)}\n`);
      return { exitCode: 1, reason: 'runner_system_failure' };
    }
    const exitCode = await this.runSteps();
    const isSent = await this.sendArtifacts(exitCode === 0);
    const isLost = exitCode === 0 && !isSent;
    return { exitCode: isLost ? 1 : exitCode, reason: isLost ? 'runner_system_failure' : 'script_failure' };
  }

  private async checkOut(): Promise<void> {
    const { repo_url: told, refspecs, sha, depth } = this.job.git_info;
    const url = new URL(told);
    if (this.options.cloneUrl !== undefined) url.host = new URL(this.options.cloneUrl).host;
    const deep = depth > 0 ? ['--depth', String(depth)] : [];
    for (const args of [
      ['init', '--quiet'],
      ['remote', 'add', 'origin', url.toString()],
      ['fetch', '--quiet', '--prune', ...deep, 'origin', ...refspecs],
      ['checkout', '--quiet', '--force', sha],
    ]) {
      const code = await this.shell.run('git', args, {
        PATH: process.env['PATH'] ?? '',
        HOME: this.folder,
        GIT_TERMINAL_PROMPT: '0',
      });
      if (code !== 0) throw new Error(`git ${args[0] ?? ''} has failed`);
    }
  }

  private async fetchArtifacts(): Promise<void> {
    for (const dependency of this.job.dependencies) {
      if (!dependency.artifacts_file) continue;
      this.trace.write(`Downloading artifacts for ${dependency.name} (${dependency.id})...\n`);
      await unpack(await this.service.download(dependency), this.project);
    }
  }

  /** Exit code of the script; that of `after_script` does not count. */
  private async runSteps(): Promise<number> {
    let exitCode = 0;
    for (const step of this.job.steps) {
      const isDue =
        step.when === 'always' || (exitCode === 0) === (step.when === 'on_success' || step.when === '');
      if (!isDue || this.isAborted) continue;
      const status = exitCode === 0 ? (step.name === 'script' ? 'running' : 'success') : 'failed';
      const code = await this.shell.script(step.script, { ...this.environment, CI_JOB_STATUS: status });
      if (code !== 0 && !step.allow_failure) exitCode = code;
    }
    return exitCode;
  }

  private async sendArtifacts(isSuccess: boolean): Promise<boolean> {
    for (const artifact of this.job.artifacts ?? []) {
      const when = artifact.when ?? 'on_success';
      if (this.isAborted || (when !== 'always' && (when === 'on_success') !== isSuccess)) continue;
      const files = await findFiles(this.project, artifact.paths, artifact.exclude);
      if (files.length === 0) this.trace.write(`WARNING: no files for ${artifact.artifact_type}\n`);
      else if ((await this.sendOne(artifact, files)) !== 201) return false;
    }
    return true;
  }

  private async sendOne(artifact: JobArtifact, files: readonly string[]): Promise<number> {
    const path = join(this.folder, `upload-${artifact.artifact_type}`);
    const name = artifact.name ?? 'artifacts';
    if (artifact.artifact_format === 'zip') {
      await pack(this.project, files, path);
      return this.service.upload(this.job, artifact, path, `${name}.zip`);
    }
    const contents = await Promise.all(files.map((file) => readFile(join(this.project, file))));
    const joined = Buffer.concat(contents);
    const isPacked = artifact.artifact_format === 'gzip';
    await writeFile(path, isPacked ? gzipSync(joined) : joined);
    return this.service.upload(this.job, artifact, path, isPacked ? `${name}.gz` : name);
  }

  private abort(): void {
    this.isAborted = true;
    this.shell.stop();
  }
}
