import { describe, expect, it } from '@jest/globals';
import { Tier } from '#kernel/access/roles.js';
import { cappedVisibility, settingsOf, slugOf, visibilityProblem } from './project-values.js';
import { drawByWeight } from './writes/storage-choice.service.js';

describe('values of projects', () => {
  it.each([
    ['My Project', 'my-project'],
    ['Crème Brûlée!', 'creme-brulee'],
    ['  ..dots.. ', 'dots'],
    ['日本', ''],
  ])('makes a path of %s', (name, path) => {
    expect(slugOf(name)).toBe(path);
  });

  it('prefers an access level to the older switch, and leaves premium attributes to premium', () => {
    const params = { wiki_enabled: false, wiki_access_level: 'private', mirror: true } as const;
    expect(settingsOf(params, Tier.Premium)).toEqual({ wiki_access_level: 'private', mirror: true });
    expect(settingsOf(params, Tier.Free)).toEqual({ wiki_access_level: 'private' });
  });

  it('keeps visibility within the group and the restrictions', () => {
    expect(cappedVisibility('public', 'internal')).toBe('internal');
    expect(cappedVisibility('private', 'internal')).toBe('private');
    expect(visibilityProblem('public', null, [], false)).toBeNull();
    expect(visibilityProblem('public', 'private', [], true)).toMatch(/not allowed/);
    expect(visibilityProblem('internal', null, ['internal'], false)).toMatch(/restricted/);
    expect(visibilityProblem('internal', null, ['internal'], true)).toBeNull();
  });

  it('chooses by weight, and never an entry without weight', () => {
    const weights = new Map([
      ['none', 0],
      ['light', 1],
      ['heavy', 3],
    ]);
    expect([0, 1, 2, 3].map((drawn) => drawByWeight(weights, () => drawn))).toEqual([
      'light',
      'heavy',
      'heavy',
      'heavy',
    ]);
    expect(drawByWeight(new Map([['none', 0]]), () => 0)).toBeNull();
  });
});
