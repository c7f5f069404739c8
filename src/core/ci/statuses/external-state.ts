import type { CiStatus } from '../jobs/job-status.js';
import type { ExternalState } from './commit-statuses.params.js';

/** Error that v4 clients know for a state that is repeated or already passed. */
const refusal = (event: string, from: CiStatus): string =>
  `Cannot transition status via :${event} from :${from} (Reason(s): Status cannot transition via "${event}")`;

/** Returns the statuses through which a new, pending or running status reaches a state, or an error. */
export function moveExternal(
  from: CiStatus,
  to: ExternalState,
): { readonly steps: readonly CiStatus[]; readonly problem: string | null } {
  if (to === 'pending')
    return from === 'created'
      ? { steps: ['pending'], problem: null }
      : { steps: [], problem: refusal('enqueue', from) };
  if (to === 'running') {
    if (from === 'running') return { steps: [], problem: refusal('run', from) };
    return { steps: from === 'created' ? ['pending', 'running'] : ['running'], problem: null };
  }
  return { steps: [to], problem: null };
}
