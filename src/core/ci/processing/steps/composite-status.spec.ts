import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { CI_STATUSES, isFinished, type CiStatus } from '../../jobs/job-status.js';
import { compositeStatus } from './composite-status.js';

/** `!` before a status: the job may fail. */
const parts = (text: string) =>
  text.split(' ').flatMap((word) => {
    if (word === '') return [];
    return [{ status: word.replace('!', '') as CiStatus, allowFailure: word.startsWith('!') }];
  });

describe('the combined status of several jobs', () => {
  it.each([
    ['', 'skipped'],
    ['created', 'created'],
    ['created created', 'created'],
    ['created skipped', 'running'],
    ['pending created', 'pending'],
    ['pending skipped manual', 'pending'],
    ['pending success', 'running'],
    ['pending failed', 'running'],
    ['running created', 'running'],
    ['running failed', 'running'],
    ['success created', 'running'],
    ['success success', 'success'],
    ['success skipped', 'success'],
    ['skipped skipped', 'skipped'],
    ['success failed', 'failed'],
    ['success !failed', 'success'],
    ['!failed', 'success'],
    ['success !canceled', 'success'],
    ['success canceled', 'canceled'],
    ['canceled skipped', 'canceled'],
    ['failed canceled', 'failed'],
    ['failed skipped', 'failed'],
    ['manual', 'manual'],
    ['!manual', 'skipped'],
    ['success manual', 'manual'],
    ['success !manual', 'success'],
    ['failed !manual', 'failed'],
    ['manual created', 'manual'],
    ['success manual created', 'manual'],
    ['scheduled', 'scheduled'],
    ['success scheduled created', 'scheduled'],
    ['running manual', 'running'],
    ['waiting_for_resource success', 'waiting_for_resource'],
    ['waiting_for_resource running', 'running'],
    ['preparing', 'preparing'],
    ['preparing created', 'preparing'],
    ['preparing success', 'preparing'],
  ])('%s: %s', (given, expected) => {
    expect(compositeStatus(parts(given))).toBe(expected);
  });

  const job = fc.record({ status: fc.constantFrom(...CI_STATUSES), allowFailure: fc.boolean() });

  it('is finished exactly if every job is, except for manual ones that may fail', () => {
    fc.assert(
      fc.property(fc.array(job, { minLength: 1 }), (jobs) => {
        const isDone = jobs.every(
          ({ status, allowFailure }) => isFinished(status) || (status === 'manual' && allowFailure),
        );
        expect(isFinished(compositeStatus(jobs))).toBe(isDone);
      }),
    );
  });

  it('does not depend on their order', () => {
    fc.assert(
      fc.property(fc.array(job), (jobs) => {
        expect(compositeStatus([...jobs].reverse())).toBe(compositeStatus(jobs));
      }),
    );
  });
});
