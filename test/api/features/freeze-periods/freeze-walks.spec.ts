import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TestApi } from '../../../support/api.js';
import { registerRunner } from '../../../support/builders/runner.js';
import { FreezeWalk } from '../../../support/freeze-walk/freeze-walk.js';
import { CONFIG, JobSteps } from '../../../support/freeze-walk/job-steps.js';
import { MinuteZone } from '../../../support/freeze-walk/minute-zone.js';
import { runs } from '../../../support/runs.js';
import { borrowApi } from '../../../support/shared-api.js';

const ROUNDS = 14;
const ZONES = ['Europe/Berlin', 'America/Havana', 'Australia/Lord_Howe', 'America/New_York'];

interface Shown {
  readonly frozen: boolean;
  readonly active: { id: number; freeze_start_at: string; freeze_end_at: string }[];
  readonly next: { freeze_start_at: string | null; freeze_end_at: string | null };
}

/** What the model says; without `freeze_end_at`, it is one of `ends`. */
interface ExpectedStatus extends Omit<Shown, 'next'> {
  readonly next: { freeze_start_at: string | null; freeze_end_at?: string | null };
  readonly ends: string[];
}

describe('freeze periods at the edges of their windows, where the clock changes', () => {
  let api: TestApi;
  let after: number;
  beforeAll(async () => {
    api = await borrowApi();
    after = Date.now() + 60 * 86_400_000;
  });
  afterAll(() => api.close());

  /** Deployments by the API are refused exactly while a freeze is enforced. */
  async function deploy(walk: FreezeWalk, serial: number): Promise<void> {
    const { developer, maintainer } = walk.ci.project;
    const status = walk.chance.of(['running', 'success', 'failed']);
    const overrides = walk.chance.oneIn(3);
    const client = walk.chance.of([developer, maintainer]);
    const isRefused = status !== 'failed' && !(overrides && client === maintainer);
    const refusal = isRefused ? walk.refusal() : null;
    const own = { override_freeze: overrides, override_reason: 'Now' };
    const target = { environment: `e${serial}`, sha: walk.ci.project.commits[0], ref: 'main', tag: false };
    const made = await client.post<{ id: number; message?: string }>(walk.at('/deployments'), {
      ...target,
      ...own,
      status,
    });
    const message = refusal === null ? undefined : `403 Forbidden - ${refusal}`;
    expect([made.status, made.body.message, walk.log]).toEqual([refusal ? 403 : 201, message, walk.log]);
    if (refusal !== null || status === 'success') return;
    const changed = await developer.put<{ message?: string }>(walk.at(`/deployments/${made.body.id}`), {
      status: 'success',
    });
    const why = walk.refusal();
    expect([changed.status, changed.body.message, walk.log]).toEqual([
      why ? 403 : 200,
      why ? `403 Forbidden - ${why}` : undefined,
      walk.log,
    ]);
  }

  async function check(walk: FreezeWalk): Promise<void> {
    const { body } = await walk.ci.project.reporter.get<Shown>(walk.at('/freeze_periods/status'));
    const { ends, ...expected } = walk.status(body) as ExpectedStatus;
    const shown = {
      frozen: body.frozen,
      active: body.active.map(({ id, freeze_start_at, freeze_end_at }) => ({
        id,
        freeze_start_at,
        freeze_end_at,
      })),
      next: body.next,
    };
    const isNext = expected.next.freeze_end_at === undefined;
    if (isNext)
      expect([walk.log, ends]).toEqual([walk.log, expect.arrayContaining([body.next.freeze_end_at])]);
    const next = isNext ? { ...expected.next, freeze_end_at: body.next.freeze_end_at } : expected.next;
    expect({ ...shown, log: walk.log }).toEqual({ ...expected, next, log: walk.log });
  }

  it.each(Array.from({ length: runs(8) }, (_, index) => index + 1))(
    'are in force as their minutes say: seed %i',
    async (seed) => {
      const own = MinuteZone.around(ZONES[seed % ZONES.length] ?? 'UTC', after);
      const walk = await FreezeWalk.start(api, [own, own, new MinuteZone('UTC', own.center)], seed);
      try {
        await walk.ci.configure(CONFIG);
        const jobs = new JobSteps(walk, await registerRunner(api, { project: walk.ci.project.id }));
        for (let round = 0; round < ROUNDS; round += 1) {
          await jobs.holdBack();
          walk.jump();
          await check(walk);
          await deploy(walk, round);
          if (!walk.isCalm()) continue;
          const isAskedAgain = await walk.change();
          await check(walk);
          if (isAskedAgain) await jobs.askedAgain();
          const steps = ['create', 'play', 'play', 'due', 'handOut', 'retry'] as const;
          for (let step = 0; step < 3; step += 1) await jobs[walk.chance.of(steps)]();
          const found = await jobs.contradictions();
          expect({ found, log: walk.log }).toEqual({ found: [], log: walk.log });
        }
      } finally {
        walk.end();
      }
    },
    300_000,
  );
});
