import { describe, expect, it } from '@jest/globals';
import { twoFactorDuty } from './two-factor-duty.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const rules = (require_two_factor_authentication: boolean, two_factor_grace_period = 48) => ({
  require_two_factor_authentication,
  two_factor_grace_period,
});
const missing = (hoursAgo: number) => ({
  enabled: false,
  dueToGroupAt: null,
  graceStartedAt: new Date(NOW.getTime() - hoursAgo * 3_600_000),
});

describe('the requirement of a second factor', () => {
  it('does not apply if the instance has none, or to users who have a second factor', () => {
    expect(twoFactorDuty(missing(100), rules(false), NOW)).toBeNull();
    expect(twoFactorDuty({ ...missing(100), enabled: true }, rules(true), NOW)).toBeNull();
  });

  it('starts at the first request and is due after the grace period', () => {
    expect(
      twoFactorDuty({ enabled: false, graceStartedAt: null, dueToGroupAt: null }, rules(true), NOW),
    ).toEqual({
      isDue: false,
      dueAt: new Date('2026-05-03T12:00:00Z'),
      isNew: true,
    });
    expect(twoFactorDuty(missing(47.9), rules(true), NOW)).toMatchObject({ isDue: false, isNew: false });
    expect(twoFactorDuty(missing(48), rules(true), NOW)).toMatchObject({ isDue: true, isNew: false });
  });

  it('is that of the group that requires it first', () => {
    const dueToGroupAt = new Date('2026-05-01T13:00:00Z');
    const facts = { ...missing(1), dueToGroupAt };
    expect(twoFactorDuty(facts, rules(false), NOW)).toEqual({
      isDue: false,
      dueAt: dueToGroupAt,
      isNew: false,
    });
    expect(twoFactorDuty(facts, rules(true), NOW)?.dueAt).toEqual(dueToGroupAt);
    expect(twoFactorDuty(facts, rules(true, 1), NOW)?.isDue).toBe(true);
    expect(twoFactorDuty({ ...facts, enabled: true }, rules(true), NOW)).toBeNull();
  });

  it('is due immediately without a grace period, and accepts any number of hours', () => {
    expect(
      twoFactorDuty({ enabled: false, graceStartedAt: null, dueToGroupAt: null }, rules(true, 0), NOW)?.isDue,
    ).toBe(true);
    expect(twoFactorDuty(missing(48), rules(true, 2 ** 50), NOW)?.isDue).toBe(false);
  });
});
