import { defineJob } from '#kernel/queue/job-definition.js';

/** A pushed branch or tag. */
export type PushedRef = Readonly<{
  projectId: number;
  userId: number;
  /** Full name of the ref. */
  ref: string;
  before: string;
  after: string;
  /** Sealed variables from the push options. */
  variables: string | null;
}>;

/** Creates the pipeline of a push; retried for an hour, because no client would repeat the request. */
export const CreatePushPipelineJob = defineJob<PushedRef>({
  name: 'ci.create_push_pipeline',
  queue: 'ci',
  attempts: 20,
  backoff: { type: 'exponential', delayMs: 2_000, maxMs: 300_000 },
});
