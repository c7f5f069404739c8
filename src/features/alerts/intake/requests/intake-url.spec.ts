import { describe, expect, it } from '@jest/globals';
import { readIntakeUrl } from './intake-url.js';

describe('the path of an intake URL', () => {
  it.each([
    ['/a/b/alerts/notify/any-name/0123abcd.json', 'a/b', '0123abcd'],
    ['/a/b/alerts/notify/any-name/0123abcd', 'a/b', '0123abcd'],
    ['/a/b/c/d/alerts/notify/%20/0123abcd/', 'a/b/c/d', '0123abcd'],
    ['/a/b/alerts/notify.json', 'a/b', 'legacy'],
    ['/a/b/alerts/notify/', 'a/b', 'legacy'],
    ['/a/alerts/alerts/notify.json', 'a/alerts', 'legacy'],
    ['/a/b/alerts/notify/alerts/notify', 'a/b/alerts/notify', 'legacy'],
  ])('%s names a project and an integration', (path, fullPath, identifier) => {
    expect(readIntakeUrl(path)).toEqual([{ fullPath, identifier }]);
  });

  it('can be that of Prometheus, or of a project of that name', () => {
    expect(readIntakeUrl('/a/b/prometheus/alerts/notify.json')).toEqual([
      { fullPath: 'a/b', identifier: 'legacy-prometheus' },
      { fullPath: 'a/b/prometheus', identifier: 'legacy' },
    ]);
    expect(readIntakeUrl('/a/prometheus/alerts/notify')).toEqual([
      { fullPath: 'a/prometheus', identifier: 'legacy' },
    ]);
  });

  it.each([
    '/alerts/notify.json',
    '/a/alerts/notify.json',
    '/a/b%2Fc/alerts/notify.json',
    '/a/../b/alerts/notify.json',
    '/-/b/alerts/notify.json',
    '/api/v4/b/alerts/notify.json',
    '/a/b/alerts/notify/name/a;b',
    '/a/b/alerts/notify/name/a/b',
    '/a/b/alerts/notified',
    `/a/${'b'.repeat(2000)}/alerts/notify.json`,
  ])('%s names nothing', (path) => {
    expect(readIntakeUrl(path)).toEqual([]);
  });
});
