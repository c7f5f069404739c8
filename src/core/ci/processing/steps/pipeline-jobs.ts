import type { Tx } from '#kernel/database/transactions.js';
import type { JobNeed } from '../../jobs/definition/job-definition.js';
import type { Job, JobWhen } from '../../jobs/job.entity.js';
import type { CiStatus } from '../../jobs/job-status.js';
import { compositeStatus } from './composite-status.js';

/** What counts of a job for how its pipeline goes on. */
export interface PipelineJob {
  readonly id: number;
  readonly kind: Job['kind'];
  readonly name: string;
  readonly stageIndex: number;
  readonly when: JobWhen;
  readonly attempt: number;
  readonly needs: readonly JobNeed[] | null;
  status: CiStatus;
  allowFailure: boolean;
}

const SELECT = `select id, kind, name, stage_index as "stageIndex", "when", attempt, status, allow_failure as "allowFailure",
    case when status in ('created', 'skipped') then needs end as needs
  from ci_jobs where pipeline_id = $1 and not retried order by stage_index, id`;

/** `test` for `test 2/3` and `test: [linux, arm]`: jobs that were made of one. */
const familyOf = (name: string): string => name.replace(/( \d+\/\d+|: \[.*\])$/s, '');

/** The jobs of a pipeline that count, and what stands before each. */
export class PipelineJobs {
  private readonly byName = new Map<string, PipelineJob[]>();
  private readonly before = new Map<number, CiStatus>();

  /** `all` is in the order of stages. */
  constructor(readonly all: readonly PipelineJob[]) {
    for (const job of all)
      for (const name of new Set([job.name, familyOf(job.name)]))
        this.byName.set(name, [...(this.byName.get(name) ?? []), job]);
  }

  /** Those of a pipeline that nobody has retried. */
  static async read(tx: Tx, pipelineId: number): Promise<PipelineJobs> {
    return new PipelineJobs(await tx.query<PipelineJob[]>(SELECT, [pipelineId]));
  }

  /** Those of a new pipeline, as they have just been inserted. */
  static of(jobs: readonly Job[]): PipelineJobs {
    const all = jobs.map(({ id, kind, name, stageIndex, when, attempt, needs, status, allowFailure }) => ({
      ...{ id, kind, name, stageIndex, when, attempt, needs, status, allowFailure },
    }));
    return new PipelineJobs(all.sort((a, b) => a.stageIndex - b.stageIndex || a.id - b.id));
  }

  /** Status of all together. */
  get status(): CiStatus {
    return compositeStatus(this.all);
  }

  /** Each job after those that it waits for. */
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

  /** The jobs that a need means. */
  named(name: string): readonly PipelineJob[] {
    return this.byName.get(name) ?? [];
  }

  /**
   * Status together of what a job waits for. Of needs each must succeed: one that was left out, or waits for somebody to play it though it
   * may fail, makes the whole `skipped`.
   */
  statusBefore(job: PipelineJob): CiStatus {
    if (job.needs !== null) return needsStatus(job.needs.flatMap(({ job: name }) => this.named(name)));
    const known = this.before.get(job.stageIndex);
    if (known) return known;
    const status = compositeStatus(this.all.filter(({ stageIndex }) => stageIndex < job.stageIndex));
    this.before.set(job.stageIndex, status);
    return status;
  }
}

function needsStatus(needed: readonly PipelineJob[]): CiStatus {
  if (needed.length === 0) return 'success';
  const status = compositeStatus(needed);
  const isLeftOut = needed.some(
    (job) => job.status === 'skipped' || (job.status === 'manual' && job.allowFailure),
  );
  return status === 'success' && isLeftOut ? 'skipped' : status;
}
