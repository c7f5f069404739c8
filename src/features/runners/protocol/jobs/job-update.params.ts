import { Nested } from '#kernel/http/fields/composite-fields.js';
import { Id, Integer, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';

/** Size and checksum of the trace that a runner has sent. */
export class SentTrace {
  @Text({ optional: true, maxLength: 64 })
  checksum?: string;

  @Integer({ optional: true, min: 0, max: Number.MAX_SAFE_INTEGER })
  bytesize?: number;
}

/** Parameters of a job update. */
export class UpdateJobParams {
  @Id()
  job_id!: number;

  @Text({ optional: true, maxLength: 255, description: 'Of the job; also in the header JOB-TOKEN' })
  token?: string;

  @OneOf(['running', 'success', 'failed'])
  state!: 'running' | 'success' | 'failed';

  @Text({ optional: true, maxLength: 255 })
  failure_reason?: string;

  /** Windows has unsigned ones: those of its crashes are above the signed ones. */
  @Integer({ optional: true, min: -2_147_483_648, max: 4_294_967_295 })
  exit_code?: number;

  @Text({ optional: true, maxLength: 64, description: '`crc32:` and eight hexadecimal digits' })
  checksum?: string;

  @Nested(() => SentTrace, { optional: true })
  output?: SentTrace;
}

/** Path parameters of a job. */
export class JobOfRunnerParams {
  @Id()
  job_id!: number;
}

/** Parameters of a part of a trace. */
export class AppendTraceParams extends JobOfRunnerParams {
  @Text({ optional: true, maxLength: 10, description: '`true`: the trace may hold secrets' })
  debug_trace?: string;
}
