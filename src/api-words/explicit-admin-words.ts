import type { ExplicitWords } from './explicit-words.js';

/** Names of the operations with which administrators manage the instance. */
export const ADMIN_WORDS: ExplicitWords = {
  'GET /admin/background_jobs': ['listBackgroundJobs', 'List the background jobs'],
  'DELETE /admin/background_jobs/{job_id}': [
    'discardBackgroundJob',
    'Discard a background job that has failed',
  ],
  'POST /admin/background_jobs/{job_id}/retry': [
    'retryBackgroundJob',
    'Have a background job run again that has failed, or now that waits after a failed attempt',
  ],
  'GET /admin/background_jobs/queues': ['listBackgroundQueues', 'List the queues of background jobs'],
  'POST /admin/background_jobs/queues/{name}/pause': [
    'pauseBackgroundQueue',
    'Keep background jobs of a queue from starting',
  ],
  'POST /admin/background_jobs/queues/{name}/resume': [
    'resumeBackgroundQueue',
    'Let background jobs of a queue start again',
  ],
  'GET /admin/health': ['getInstanceHealth', 'Get the health of the instance'],
};
