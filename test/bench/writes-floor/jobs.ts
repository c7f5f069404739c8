import { randomUUID } from 'node:crypto';
import { compositeStatus, type StatusPart } from '#core/ci/processing/steps/composite-status.js';
import { digestToken, isTokenOf, randomToken } from '#kernel/crypto/tokens.js';
import { ask, statement, type Database } from './database.js';
import { json, require, textOf, type Answer, type Sent } from './http.js';
import { payloadOf } from './job-payload.js';
import { enqueue, type QueuedJob } from './outbox.js';
import type { GitRepositories } from './repository.js';
import * as sql from './runner-statements.js';

/**
 * Assigns the next job to a runner; in two transactions, because a transaction that locks a pipeline first
 * may wait for the rows of its jobs.
 */
export async function takeJob(database: Database, repositories: GitRepositories, sent: Sent): Promise<Answer> {
  const body = json(sent);
  const [[runner]] = await database.run(ask(sql.RUNNER, digestToken(textOf(body['token'], 'token', 255))));
  require(runner !== undefined, 403, '403 Forbidden');
  require(!runner.paused, 204, '204 No Content');
  const suits = [runner.tags, runner.untagged, runner.protected_only];
  const [[next]] = await database.run(ask(sql.NEXT, runner.id, ...suits));
  require(next !== undefined, 204, '204 No Content');
  const token = randomToken('glcbt-');
  const [[job]] = await database.run(ask(sql.TAKE, next.id, ...suits, runner.id, digestToken(token), runner.maximum_timeout));
  require(job !== undefined, 409, '409 Conflict');
  const { pipeline, place } = await database.transaction(async (tx) => {
    const [[locked], jobs] = await tx.send(ask(sql.PIPELINE, job.pipeline_id), ask(sql.PIPELINE_JOBS, job.pipeline_id));
    const isRunning = jobs.some(({ id, status }) => id === job.id && status === 'running');
    require(locked !== undefined && locked.is_active && isRunning && !job.protected, 501, 'Not part of the reference');
    const now = new Date();
    const status = compositeStatus(jobs as unknown as StatusPart[]);
    const [[found], dotenv, variables, freezes, artifacts] = await tx.commit(
      ask(sql.PLACE, job.project_id, job.id, job.user_id, job.ref),
      ask(sql.DOTENV, job.pipeline_id, job.id, job.stage_index),
      ask(sql.VARIABLES, job.project_id, job.protected),
      ask(sql.FREEZES, job.project_id),
      ask(sql.ARTIFACTS, job.pipeline_id, job.stage_index),
      ...(status === locked.status ? [] : [ask(sql.MOVE_PIPELINE, locked.id, status, now, null, null)]),
    );
    require(found !== undefined && dotenv.length + variables.length + freezes.length + artifacts.length === 0, 501, 'Not part of the reference');
    return { pipeline: locked, place: found };
  });
  await keepCommit(database, repositories, pipeline);
  return { status: 201, body: payloadOf({ runner, job, pipeline, place, token, host: sent.host }) };
}

/** The ref that holds the commit whatever becomes of its branch. */
async function keepCommit(database: Database, repositories: GitRepositories, { id, project_id: projectId, sha }: sql.LockedPipeline): Promise<void> {
  const ref = `refs/pipelines/${id}`;
  if (await repositories.hasRef(projectId, ref)) return;
  const push = randomUUID();
  const [[begun]] = await database.run(ask(sql.BEGIN_PUSH, push, projectId));
  if (!begun) return;
  try {
    await repositories.keepRef(projectId, ref, sha);
  } finally {
    await database.run(ask(sql.END_PUSH, push));
  }
}

const JOB = statement<{ pipeline_id: number; project_id: number; status: string; token_digest: Buffer | null; pending_delete: boolean }>(
  'job of token',
  `select j.pipeline_id, j.project_id, j.status, j.token_digest, p.pending_delete from ci_jobs j join projects p on p.id = j.project_id
   where j.id = $1 and j.kind = 'build'`,
);
const FINISH = statement('finish job', `update ci_jobs set status = 'success', updated_at = $2, waiting_reason = null, finished_at = $2 where id = $1`);
const ENDED = new Set(['success', 'failed', 'canceled', 'skipped']);

/** A runner says that its job has succeeded. */
export async function finishJob(database: Database, sent: Sent): Promise<Answer> {
  const body = json(sent);
  const id = Number(sent.path.split('/')[4]);
  require(body['state'] === 'success' && Object.keys(body).length === 2, 501, 'Not part of the reference');
  const [[known]] = await database.run(ask(JOB, id));
  const token = textOf(body['token'], 'token', 255);
  require(known !== undefined && !known.pending_delete && known.token_digest !== null && isTokenOf(known.token_digest, token), 403, '403 Forbidden');
  require(known.status === 'running', 403, '403 Forbidden - Job is not running');
  const isAnnounced = await database.transaction(async (tx) => {
    const [[pipeline], jobs] = await tx.send(ask(sql.PIPELINE, known.pipeline_id), ask(sql.PIPELINE_JOBS, known.pipeline_id));
    const job = jobs.find((one) => one.id === id);
    require(pipeline !== undefined && job?.status === 'running', 403, '403 Forbidden - Job is not running');
    const now = new Date();
    const after = jobs.map((one) => (one === job ? { ...one, status: 'success', finished_at: now } : one));
    const status = compositeStatus(after as unknown as StatusPart[]);
    // Jobs that wait for this one are not part of the reference.
    require(ENDED.has(status) && after.every((one) => ENDED.has(one.status)), 501, 'Not part of the reference');
    await tx.commit(
      ask(FINISH, id, now),
      ask(sql.MOVE_PIPELINE, pipeline.id, status, now, now, seconds(after)),
      enqueue(...followUps(pipeline, id, status)),
    );
    return true;
  });
  if (isAnnounced) database.announce();
  return { status: 200, body: 200, headers: { 'Job-Status': 'success' } };
}

function followUps({ id, project_id: projectId, ref, tag, user_id: actorId, before }: sql.LockedPipeline, jobId: number, status: string): QueuedJob[] {
  const kind = status === 'failed' ? 'failed_pipeline' : before === 'failed' ? 'fixed_pipeline' : 'success_pipeline';
  return [
    { queue: 'default', name: 'ci.archive-trace', payload: { jobId }, dedupe_key: String(jobId) },
    { queue: 'ci', name: 'ci.unlock_pipelines', payload: { projectId, ref, tag, ofMergeRequest: false, beforeId: id } },
    {
      ...{ queue: 'notifications', name: 'notifications.fan-out' },
      payload: { event: { kind, target: { id, type: 'Pipeline' }, actorId, groupId: null, projectId }, eventId: randomUUID() },
    },
    { queue: 'ci', name: 'merge_requests.follow_head_pipeline', payload: { pipelineId: id } },
    { queue: 'default', name: 'runners.prune-pipeline-refs', payload: { projectId }, dedupe_key: String(projectId), delay_ms: 86_460_000 },
  ];
}

/** Time in which any job ran: what ran at the same time counts once. */
function seconds(jobs: readonly { readonly started_at: Date | null; readonly finished_at: Date | null }[]): number | null {
  const spans = jobs.flatMap(({ started_at: from, finished_at: to }) => (from && to && to > from ? [[from.getTime(), to.getTime()] as const] : []));
  if (spans.length === 0) return null;
  let [total, end] = [0, -Infinity];
  for (const [from, to] of spans.sort(([a], [b]) => a - b)) {
    total += Math.max(0, to - Math.max(from, end));
    end = Math.max(end, to);
  }
  return Math.floor(total / 1_000);
}
