import type { DeploymentStatus } from '#core/environments/deployments/deployment-summary.record.js';

/** Statuses that clients can set (`api-v4.md` 3.1). */
export const SETTABLE_STATUSES = ['running', 'success', 'failed', 'canceled'] as const;

/** Status that a client can set. */
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** Effects of a new status. */
export interface StatusEffects {
  readonly finishedAt: 'now' | 'none';
  /** Whether the environment becomes available. */
  readonly restartsEnvironment: boolean;
}

const EFFECTS: Readonly<Record<SettableStatus, StatusEffects>> = {
  running: { finishedAt: 'none', restartsEnvironment: false },
  success: { finishedAt: 'now', restartsEnvironment: true },
  failed: { finishedAt: 'now', restartsEnvironment: false },
  canceled: { finishedAt: 'now', restartsEnvironment: false },
};

/**
 * Returns the effects of a change of the status; null if nothing changes. The four settable statuses can
 * follow any status and none (`decisions.md` 3).
 */
export const transition = (from: DeploymentStatus | null, to: SettableStatus): StatusEffects | null =>
  from === to ? null : EFFECTS[to];
