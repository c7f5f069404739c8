import type { MoveState } from '#features/storage-moves/storage-move.js';
import type { LiveItem } from '../live/live-item.js';
import { momentText } from '../layout/moments.js';
import { bytesText, repositoriesText, STATE_WORDS, type MoveKind } from './move-texts.js';

/** A move as shown on the page. */
export interface ShownMove {
  readonly kind: MoveKind;
  readonly id: number;
  readonly ownerId: number;
  /** Full path of a project or group, title of a snippet. */
  readonly name: string;
  readonly source: string;
  readonly destination: string;
  readonly state: MoveState;
  readonly repositoriesDone: number;
  readonly repositoriesTotal: number;
  readonly bytesDone: number;
  readonly bytesTotal: number;
  readonly errorMessage: string | null;
  /** Whether it failed and has not been retried since. */
  readonly mayRepeat: boolean;
  readonly createdAt: Date;
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

/** Progress of a move, for the page and its script. */
export function nowOf(move: ShownMove): LiveItem {
  const { label, tone, isMoving } = STATE_WORDS[move.state];
  return {
    id: move.id,
    name: move.name,
    isMoving,
    state: label,
    tone,
    hasProgress: tone === 'busy',
    percent: percentOf(move),
    amount: amountOf(move, tone === 'busy'),
    started: move.startedAt && momentText(move.startedAt),
    ended: move.endedAt && momentText(move.endedAt),
    error: move.errorMessage,
    mayRepeat: move.mayRepeat,
  };
}

/** Computed from bytes if known, otherwise from repositories. Never 100 before the end. */
function percentOf({
  state,
  bytesDone,
  bytesTotal,
  repositoriesDone,
  repositoriesTotal,
}: ShownMove): number | null {
  if (state === 'replicated' || state === 'finished') return 100;
  const [done, total] = bytesTotal > 0 ? [bytesDone, bytesTotal] : [repositoriesDone, repositoriesTotal];
  return total > 0 ? Math.min(99, Math.floor((100 * done) / total)) : null;
}

function amountOf(move: ShownMove, isBusy: boolean): string {
  const { repositoriesDone, repositoriesTotal, bytesDone, bytesTotal } = move;
  if (repositoriesTotal === 0) return '';
  if (bytesTotal === 0 && repositoriesDone < repositoriesTotal)
    return `${repositoriesDone} of ${repositoriesText(repositoriesTotal)}`;
  if (!isBusy && repositoriesDone === repositoriesTotal)
    return `${repositoriesText(repositoriesTotal)}, ${bytesText(bytesTotal)}`;
  return `${repositoriesDone} of ${repositoriesText(repositoriesTotal)}, ${bytesText(Math.min(bytesDone, bytesTotal))} of ${bytesText(bytesTotal)}`;
}
