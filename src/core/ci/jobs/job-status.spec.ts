import { describe, expect, it } from '@jest/globals';
import { CI_STATUSES, isFinished, mayMove, type CiStatus } from './job-status.js';

/**
 * One row per status; one column per target status, in the order of `CI_STATUSES`: `x` if the move is
 * allowed.
 */
const TABLE: Readonly<Record<CiStatus, string>> = {
  //                     created waiting preparing pending running success failed canceled skipped manual scheduled
  created: '              .       x       x         x       x       x       x      x        x       x      x',
  waiting_for_resource: ' .       .       x         x       .       .       x      x        x       x      x',
  preparing: '            .       .       .         x       .       .       x      x        x       .      .',
  pending: '              .       .       .         .       x       x       x      x        x       x      x',
  running: '              .       .       .         .       .       x       x      x        .       .      .',
  success: '              .       .       .         .       .       .       .      .        .       .      .',
  failed: '               .       .       .         .       .       .       .      .        .       .      .',
  canceled: '             .       .       .         .       .       .       .      .        .       .      .',
  skipped: '              x       .       .         .       .       .       .      .        .       .      .',
  manual: '               x       x       .         x       .       .       x      x        x       .      x',
  scheduled: '            .       x       .         x       .       .       x      x        x       x      x',
};

describe('the statuses of a job', () => {
  it.each(CI_STATUSES.flatMap((from) => CI_STATUSES.map((to) => [from, to] as const)))(
    '%s to %s',
    (from, to) => {
      const marks = TABLE[from].trim().split(/\s+/);
      expect(marks).toHaveLength(CI_STATUSES.length);
      expect(mayMove(from, to)).toBe(marks[CI_STATUSES.indexOf(to)] === 'x');
    },
  );

  it.each(CI_STATUSES)('%s is final only if it is finished', (status) => {
    const isDeadEnd = CI_STATUSES.every((to) => !mayMove(status, to));
    expect(isDeadEnd).toBe(isFinished(status) && status !== 'skipped');
  });
});
