import type { DeploymentStatus } from '#core/environments/deployments/deployment-summary.record.js';

/** Statuses that a client may set (`api-v4.md` 3.1). */
export const SETTABLE_STATUSES = ['running', 'success', 'failed', 'canceled'] as const;

/** A status that a client may set. */
export type SettableStatus = (typeof SETTABLE_STATUSES)[number];

/** What entering a status does beside setting it. */
export interface StatusEffects {
  readonly finishedAt: 'now' | 'none';
  /** Whether the environment runs from then on. */
  readonly restartsEnvironment: boolean;
}

const EFFECTS: Readonly<Record<SettableStatus, StatusEffects>> = {
  running: { finishedAt: 'none', restartsEnvironment: false },
  success: { finishedAt: 'now', restartsEnvironment: true },
  failed: { finishedAt: 'now', restartsEnvironment: false },
  canceled: { finishedAt: 'now', restartsEnvironment: false },
};

/**
 * What the change from one status to another does; null when nothing changes. Every status, and none at all, leads to each of
 * the four (`decisions.md` 3).
 */
export const transition = (from: DeploymentStatus | null, to: SettableStatus): StatusEffects | null =>
  from === to ? null : EFFECTS[to];
