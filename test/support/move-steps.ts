import type { INestApplication } from '@nestjs/common';
import { ClaimMoveStep } from '#features/storage-moves/engine/claim-move.step.js';
import { EndMoveStep } from '#features/storage-moves/engine/end-move.step.js';
import { MoveJournalService } from '#features/storage-moves/engine/run/move-journal.service.js';
import { SwitchStorageStep } from '#features/storage-moves/engine/switch-storage.step.js';

/** Points of a move at which a process can be lost, in their order. `placed` is reached before the transaction of `replicated` commits. */
export const MOVE_STEPS = [
  'started',
  'waited',
  'copied',
  'verified',
  'placed',
  'replicated',
  'removed',
  'finished',
] as const;

/** Name of such a point. */
export type MoveStep = (typeof MOVE_STEPS)[number];

/** A callback for each step of a move; the move waits for it and fails with it. */
export type AtStep = (step: MoveStep, moveId: number) => Promise<void> | void;

const isStep = (name: string): name is MoveStep => (MOVE_STEPS as readonly string[]).includes(name);

/** Calls `work` whenever a move of this service reaches a step; to be used once for each service. */
export function watchMoves(app: INestApplication, work: AtStep): void {
  const get = <T>(type: abstract new (...args: never[]) => T): T => app.get<T>(type, { strict: false });
  const journal = get(MoveJournalService);
  const [record, append] = [journal.record.bind(journal), journal.append.bind(journal)];
  journal.record = async (run, step, facts) => {
    await record(run, step, facts);
    if (isStep(step)) await work(step, run.move.id);
  };
  journal.append = async (tx, run, step, facts) => {
    if (step === 'replicated') await work('placed', run.move.id);
    await append(tx, run, step, facts);
  };
  const claiming = get(ClaimMoveStep);
  const claim = claiming.claim.bind(claiming);
  claiming.claim = async (moveId, context) => {
    const run = await claim(moveId, context);
    if (run) await work('started', moveId);
    return run;
  };
  const switching = get(SwitchStorageStep);
  const switchOver = switching.run.bind(switching);
  switching.run = async (run) => {
    await switchOver(run);
    await work('replicated', run.move.id);
  };
  const ending = get(EndMoveStep);
  const end = ending.run.bind(ending);
  ending.run = async (run, ...how) => {
    await end(run, ...how);
    await work('finished', run.move.id);
  };
}
