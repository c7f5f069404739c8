import { runWithNext } from '#kernel/database/statements/prepared.js';
import type { Tx } from '#kernel/database/transactions.js';
import type { JobNeed } from '../../jobs/definition/job-definition.js';
import type { Job, JobWhen } from '../../jobs/job.entity.js';
import type { CiStatus } from '../../jobs/job-status.js';
import { blocks, blocksSql } from './blocking.js';
import { compositeStatus } from './composite-status.js';

/** Facts of a job that processing a pipeline needs. */
export interface PipelineJob {
  readonly id: number;
  readonly kind: Job['kind'];
  readonly name: string;
  readonly stageIndex: number;
  readonly when: JobWhen;
  readonly attempt: number;
  /** Null also for a job whose needs were not read. */
  readonly needs: readonly JobNeed[] | null;
  /** A needed job for which this one is known to wait; its needs are not read until that job lets it continue. */
  readonly awaited: string | null;
  status: CiStatus;
  allowFailure: boolean;
}

const FACTS = `pipeline_id as "pipelineId", id, kind, name, stage_index as "stageIndex", "when", attempt, status, allow_failure as "allowFailure"`;

/**
 * SQL list of the columns of a `PipelineJob`, with the id of its pipeline; for an ending job, as if it had
 * ended. The needs of all jobs together can be megabytes.
 */
export const pipelineJobColumns = (pipeline: string, endingJob?: string): string =>
  `${FACTS}, case when status = 'created' then awaited end as awaited,
    case when status = 'created' and (awaited is null or awaited not in (select name from ci_jobs other
      where other.pipeline_id = ${pipeline} and not other.retried and ${blocksSql('other')}
        ${endingJob === undefined ? '' : `and other.id <> ${endingJob}`})) then needs end as needs`;

const select = (pipeline: string, columns: string): string =>
  `select ${columns} from ci_jobs where pipeline_id = ${pipeline} and not retried order by stage_index, id`;

const SELECT = select('$1', pipelineJobColumns('$1'));
const SELECT_WITH_NEEDS = select('$1', `${FACTS}, null as awaited, needs`);

type PipelineJobRow = PipelineJob & { readonly pipelineId: number };

/** Returns `test` for `test 2/3` and `test: [linux, arm]`: the common name of parallel jobs. */
const familyOf = (name: string): string => name.replace(/( \d+\/\d+|: \[.*\])$/s, '');

/** The current jobs of a pipeline, and the status of the jobs before each of them. */
export class PipelineJobs {
  /** Without statuses from outside, which may have the name of any job. */
  private readonly byName = new Map<string, PipelineJob[]>();
  private readonly byFamily = new Map<string, PipelineJob[]>();
  private readonly before = new Map<number, CiStatus>();

  /** `all` must be in the order of stages. */
  constructor(readonly all: readonly PipelineJob[]) {
    for (const job of all) {
      if (job.kind === 'status') continue;
      add(this.byName, job.name, job);
      add(this.byFamily, familyOf(job.name), job);
    }
  }

  /** Reads the jobs of a pipeline that are not retried, with the needs of those that may continue. */
  static async read(tx: Tx, pipelineId: number): Promise<PipelineJobs> {
    return new PipelineJobs(await tx.query<PipelineJob[]>(SELECT, [pipelineId]));
  }

  /** Reads the jobs of a pipeline that are not retried, with all needs, also those of finished jobs. */
  static async readWithNeeds(tx: Tx, pipelineId: number): Promise<PipelineJobs> {
    return new PipelineJobs(await tx.query<PipelineJob[]>(SELECT_WITH_NEEDS, [pipelineId]));
  }

  /**
   * Reads the jobs in one round trip with the next statement of `tx`, if the pipeline is known only by a
   * query for its id; the returned function takes the id once it is known.
   */
  static async ask(
    tx: Tx,
    pipeline: string,
    values: unknown[],
  ): Promise<(pipelineId: number) => Promise<PipelineJobs>> {
    const text = select(`(${pipeline})`, pipelineJobColumns(`(${pipeline})`));
    const rows = await runWithNext<PipelineJobRow>(tx, text, values);
    return async (pipelineId) => {
      const jobs = await rows();
      // The query may have found another pipeline in the meantime.
      return jobs[0]?.pipelineId === pipelineId ? new PipelineJobs(jobs) : PipelineJobs.read(tx, pipelineId);
    };
  }

  /** Returns the jobs of a new pipeline from the inserted entities. */
  static of(jobs: readonly Job[]): PipelineJobs {
    const all = jobs.map(({ id, kind, name, stageIndex, when, attempt, needs, status, allowFailure }) => ({
      ...{ id, kind, name, stageIndex, when, attempt, needs, awaited: null, status, allowFailure },
    }));
    return new PipelineJobs(all.sort((a, b) => a.stageIndex - b.stageIndex || a.id - b.id));
  }

  /** Updates the status of a job; false if the job is not among them. */
  follow({ id, status, allowFailure }: Pick<PipelineJob, 'id' | 'status' | 'allowFailure'>): boolean {
    const job = this.all.find((one) => one.id === id);
    if (job) Object.assign(job, { status, allowFailure });
    return job !== undefined;
  }

  /** Common status of all jobs. */
  get status(): CiStatus {
    return compositeStatus(this.all);
  }

  /** Returns the jobs, each after the jobs it needs. */
  inOrder(): PipelineJob[] {
    const done = new Set<PipelineJob>();
    const visit = (job: PipelineJob): void => {
      if (done.has(job)) return;
      done.add(job);
      for (const need of job.needs ?? [])
        for (const other of this.named(need.job)) if (other.stageIndex === job.stageIndex) visit(other);
      ordered.push(job);
    };
    const ordered: PipelineJob[] = [];
    for (const job of this.all) visit(job);
    return ordered;
  }

  /** Returns the jobs that a need refers to: that of this name, else the copies of a parallel job. */
  named(name: string): readonly PipelineJob[] {
    return this.byName.get(name) ?? this.byFamily.get(name) ?? [];
  }

  /** Returns the jobs that a job needs. */
  neededBy({ needs }: PipelineJob): readonly PipelineJob[] {
    return (needs ?? []).flatMap(({ job }) => this.named(job));
  }

  /** Whether a job may continue whose needs were not read, since the one that it awaited has got out of its way. */
  get hasReleased(): boolean {
    return this.all.some(
      ({ needs, awaited }) =>
        needs === null && awaited !== null && !this.byName.get(awaited)?.some((job) => blocks(job)),
    );
  }

  /**
   * Common status of the jobs before this one. If a needed job was skipped, or is manual and may fail, it is
   * `skipped`.
   */
  statusBefore(job: PipelineJob): CiStatus {
    if (job.needs !== null) return needsStatus(this.neededBy(job));
    // Any unfinished status: the job waits.
    if (job.awaited !== null) return 'created';
    const known = this.before.get(job.stageIndex);
    if (known) return known;
    const status = compositeStatus(this.all.filter(({ stageIndex }) => stageIndex < job.stageIndex));
    this.before.set(job.stageIndex, status);
    return status;
  }
}

function add(index: Map<string, PipelineJob[]>, name: string, job: PipelineJob): void {
  const known = index.get(name);
  if (known) known.push(job);
  else index.set(name, [job]);
}

function needsStatus(needed: readonly PipelineJob[]): CiStatus {
  if (needed.length === 0) return 'success';
  const status = compositeStatus(needed);
  const isLeftOut = needed.some(
    (job) => job.status === 'skipped' || (job.status === 'manual' && job.allowFailure),
  );
  return status === 'success' && isLeftOut ? 'skipped' : status;
}
