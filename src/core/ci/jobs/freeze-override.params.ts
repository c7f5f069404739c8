import type { Caller } from '#kernel/access/caller.js';
import { Flag, Text } from '#kernel/http/fields/scalar-fields.js';

/** That a freeze period shall not hold a deployment up, and why. */
export interface FreezeOverride {
  /** Null where the caller gave no reason. */
  readonly reason: string | null;
}

/** The same of a job, with whoever asks for it. */
export interface JobFreezeOverride extends FreezeOverride {
  readonly caller: Caller;
}

/** What Maintainers may send to deploy although a freeze period is in force (`decisions.md` 3). */
export class FreezeOverrideParams {
  @Flag({ optional: true, description: 'Deploy in spite of a freeze period: for Maintainers, with a reason' })
  override_freeze?: boolean;

  @Text({ optional: true, maxLength: 1000, trim: true, description: 'Why; kept in an audit event' })
  override_reason?: string;
}

/** What the parameters say of freeze periods. */
export const freezeOverride = (params: FreezeOverrideParams): FreezeOverride | null =>
  params.override_freeze ? { reason: params.override_reason || null } : null;
