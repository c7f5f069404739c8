import { describe, expect, it } from '@jest/globals';
import { Freshness, replayable } from './freshness.js';

describe('Freshness', () => {
  it('is unknown before the replica has reached a position of the primary', () => {
    const freshness = new Freshness();
    expect([freshness.behindAt(0), freshness.watchedBehindAt(0)]).toEqual([Infinity, 0]);
    freshness.noteAsked(1_000, 500);
    freshness.noteReplayed(499);
    expect([freshness.behindAt(1_500), freshness.watchedBehindAt(1_500)]).toEqual([Infinity, 500]);
    freshness.noteReplayed(500);
    expect(freshness.behindAt(1_200)).toBe(200);
  });

  it('depends on the newest position that was reached, and decreases without progress', () => {
    const freshness = new Freshness();
    for (const second of [1, 2, 3]) freshness.noteAsked(second * 1_000, second * 100);
    freshness.noteReplayed(250);
    expect(freshness.behindAt(3_000)).toBe(1_000);
    freshness.noteReplayed(250);
    expect(freshness.behindAt(9_000)).toBe(7_000);
    freshness.noteReplayed(300);
    expect(freshness.behindAt(9_000)).toBe(6_000);
  });

  it('treats the replica of an idle primary as up to date', () => {
    const freshness = new Freshness();
    for (let second = 0; second < 60; second += 1) {
      freshness.noteAsked(second * 1_000, 100);
      freshness.noteReplayed(100);
    }
    expect(freshness.behindAt(59_000)).toBe(0);
  });

  it('keeps a limited number of positions of a stalled replica, and clears all of them on request', () => {
    const freshness = new Freshness();
    for (let second = 0; second < 60; second += 1) freshness.noteAsked(second * 1_000, second);
    freshness.noteReplayed(49);
    expect(freshness.behindAt(59_000)).toBe(Infinity);
    freshness.noteReplayed(50);
    expect(freshness.behindAt(59_000)).toBe(9_000);
    freshness.clear();
    freshness.noteReplayed(1_000);
    expect(freshness.behindAt(59_000)).toBe(Infinity);
  });
});

describe('replayable', () => {
  it('excludes the header of a page that contains nothing else', () => {
    expect(replayable(8_192 * 3 + 24, 8_192)).toBe(8_192 * 3);
    expect(replayable(8_192 * 2_048 + 40, 8_192)).toBe(8_192 * 2_048);
    expect(replayable(8_192 * 3 + 48, 8_192)).toBe(8_192 * 3 + 48);
    expect(replayable(8_192 * 3 - 8, 8_192)).toBe(8_192 * 3 - 8);
  });
});
