/** Path of the administrators' page of background jobs. */
export const JOBS_PATH = '/admin/background_jobs';
