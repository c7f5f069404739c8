import { HttpError } from '#kernel/http/errors.js';
import { MAX_RESULT_BYTES } from './thread-task.js';

/** Limits for a thread working on user input: seconds, and megabytes of memory. */
export const TASK_SECONDS = 10;
export const TASK_MEGABYTES = 256;

const LIMITS = {
  time: `it takes more than ${TASK_SECONDS} seconds to process`,
  memory: `it takes more than ${TASK_MEGABYTES} MB of memory to process`,
  result: `its result takes more than ${MAX_RESULT_BYTES / 1024 / 1024} MB`,
} as const;

/** The input needs more than the limits allow: 422 naming the limit. */
export class OverBudget extends HttpError {
  /** Description of the exceeded limit. */
  readonly words: string;

  constructor(limit: keyof typeof LIMITS) {
    super(422, { message: `422 Unprocessable Entity - ${LIMITS[limit]}` });
    this.words = LIMITS[limit];
  }
}
