import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { intakePath } from './intake-path.js';
import { anyCharacter } from '../../../../../test/support/any-text.js';

describe('the path of an intake URL', () => {
  it.each([
    ['Grafana', '/alerts/notify/grafana/0123456789abcdef.json'],
    ['  Büro & Lager!  ', '/alerts/notify/buro-lager/0123456789abcdef.json'],
    ['警報', '/alerts/notify/alert/0123456789abcdef.json'],
    ['../../admin', '/alerts/notify/admin/0123456789abcdef.json'],
  ])('contains the name %j', (name, path) => {
    expect(intakePath(name, '0123456789abcdef')).toBe(path);
  });

  it('is a short one for the two legacy integrations', () => {
    expect(intakePath('Grafana', 'legacy')).toBe('/alerts/notify.json');
    expect(intakePath('Grafana', 'legacy-prometheus')).toBe('/prometheus/alerts/notify.json');
  });

  it('needs no escaping, whatever the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 300 }), (name) => {
        expect(intakePath(name, 'ab12')).toMatch(
          /^\/alerts\/notify\/[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?\/ab12\.json$/,
        );
      }),
    );
  });
});
