import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
} from '#core/environments/deployments/deployment-summary.record.js';
import { SETTABLE_STATUSES, transition } from './deployment-state.js';

describe('transition', () => {
  it('allows each settable status from every other status, and from none', () => {
    for (const from of [null, ...DEPLOYMENT_STATUSES]) {
      for (const to of SETTABLE_STATUSES) expect(transition(from, to) === null).toBe(from === to);
    }
  });

  it('sets the finishing time exactly while the deployment is finished, whatever happens to it', () => {
    const start = fc.constantFrom<DeploymentStatus>('created', 'blocked');
    fc.assert(
      fc.property(start, fc.array(fc.constantFrom(...SETTABLE_STATUSES)), (first, wanted) => {
        let status: DeploymentStatus = first;
        let finishedAt: number | null = null;
        for (const [time, next] of wanted.entries()) {
          const effects = transition(status, next);
          if (!effects) continue;
          status = next;
          finishedAt = effects.finishedAt === 'now' ? time : null;
        }
        return (finishedAt !== null) === ['success', 'failed', 'canceled'].includes(status);
      }),
    );
  });

  it('starts the environment on success only', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(null, ...DEPLOYMENT_STATUSES),
        fc.constantFrom(...SETTABLE_STATUSES),
        (from, to) => {
          const effects = transition(from, to);
          return effects === null || effects.restartsEnvironment === (to === 'success');
        },
      ),
    );
  });

  it('does nothing if the status is unchanged', () => {
    for (const to of SETTABLE_STATUSES) expect(transition(to, to)).toBeNull();
  });
});
