import type { Caller } from '#kernel/access/caller.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** Request to deploy in spite of a freeze period, with the reason. */
export interface FreezeOverride {
  /** Null if the caller gave no reason. */
  readonly reason: string | null;
}

/** A freeze override for a job, with the user who requests it. */
export interface JobFreezeOverride extends FreezeOverride {
  readonly caller: Caller;
}

/** Parameters with which Maintainers deploy in spite of a freeze period (`decisions.md` 3). */
export class FreezeOverrideParams {
  @Flag({ optional: true, description: 'Deploy despite a freeze period: for Maintainers, with a reason' })
  override_freeze?: boolean;

  @Text({ optional: true, maxLength: 1000, trim: true, description: 'Why; kept in an audit event' })
  override_reason?: string;
}

/** Returns the freeze override that the parameters request; null if none. */
export const freezeOverride = (params: FreezeOverrideParams): FreezeOverride | null =>
  params.override_freeze ? { reason: params.override_reason || null } : null;
