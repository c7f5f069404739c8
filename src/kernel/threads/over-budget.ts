import { HttpError } from '#kernel/http/errors.js';

/** Seconds that a thread may work on what somebody has sent, and megabytes that its values may take meanwhile. */
export const TASK_SECONDS = 10;
export const TASK_MEGABYTES = 256;

const LIMITS = {
  time: `it takes more than ${TASK_SECONDS} seconds to process`,
  memory: `it takes more than ${TASK_MEGABYTES} MB of memory to process`,
} as const;

/** What was sent needs more than anybody gets: 422 naming the limit. */
export class OverBudget extends HttpError {
  /** The limit that was passed, in words. */
  readonly words: string;

  constructor(limit: keyof typeof LIMITS) {
    super(422, { message: `422 Unprocessable Entity - ${LIMITS[limit]}` });
    this.words = LIMITS[limit];
  }
}
