import { defineJob } from '#kernel/queue/job-definition.js';

/** One branch or tag that was pushed. */
export type PushedRef = Readonly<{
  projectId: number;
  userId: number;
  /** Full name. */
  ref: string;
  before: string;
  after: string;
  /** Of the options of the push: sealed. */
  variables: string | null;
}>;

/** Makes the pipeline of a push: nobody asks for it again, so it is tried for an hour. */
export const CreatePushPipelineJob = defineJob<PushedRef>({
  name: 'ci.create_push_pipeline',
  queue: 'ci',
  attempts: 20,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
