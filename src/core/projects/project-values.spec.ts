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
  ])('derive a path from %s', (name, path) => {
    expect(slugOf(name)).toBe(path);
  });

  it('prefer an access level to the deprecated switch, and drop premium attributes on the free plan', () => {
    const params = { wiki_enabled: false, wiki_access_level: 'private', mirror: true } as const;
    expect(settingsOf(params, Tier.Premium)).toEqual({ wiki_access_level: 'private', mirror: true });
    expect(settingsOf(params, Tier.Free)).toEqual({ wiki_access_level: 'private' });
  });

  it('limit visibility to that of the group and to the restrictions', () => {
    expect(cappedVisibility('public', 'internal')).toBe('internal');
    expect(cappedVisibility('private', 'internal')).toBe('private');
    expect(visibilityProblem('public', null, [], false)).toBeNull();
    expect(visibilityProblem('public', 'private', [], true)).toMatch(/not allowed/);
    expect(visibilityProblem('internal', null, ['internal'], false)).toMatch(/restricted/);
    expect(visibilityProblem('internal', null, ['internal'], true)).toBeNull();
  });

  it('select by weight, and never an entry with weight 0', () => {
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
