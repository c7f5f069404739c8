import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { ApiRequest } from '#kernel/http/request.js';
import type { RouteInfo } from './route-info.js';
import { subjectRef } from './subject-ref.js';

type Kind = 'Project' | 'Group';

const info = (subjectKind: Kind | null): RouteInfo => ({ subjectKind, subjectParam: 'id' }) as RouteInfo;
const request = (params: object, body?: unknown, query: object = {}): ApiRequest =>
  ({ params, body, query, originalUrl: '/?' }) as unknown as ApiRequest;
const refOf = (id: unknown, kind: Kind = 'Project'): unknown => subjectRef(request({ id }), info(kind));
const nothing = (kind: Kind): object => ({ kind, by: 'id', value: -1 });

describe('the subject of a request', () => {
  it('is an id if it consists of digits only', () => {
    fc.assert(
      fc.property(fc.nat(), fc.constantFrom<Kind>('Project', 'Group'), (id, kind) => {
        expect(refOf(String(id), kind)).toEqual({ kind, by: 'id', value: id });
        expect(refOf(`00${id}`, kind)).toEqual({ kind, by: 'id', value: id });
      }),
    );
    for (const id of ['-1', '-0001', '9007199254740992', '9223372036854775808', '9'.repeat(400)])
      expect([id, refOf(id)]).toEqual([id, nothing('Project')]);
  });

  it('is a path otherwise; that of a project contains a slash', () => {
    expect(refOf('group/sub/project')).toEqual({ kind: 'Project', by: 'path', value: 'group/sub/project' });
    expect(refOf('group', 'Group')).toEqual({ kind: 'Group', by: 'path', value: 'group' });
    expect(refOf('project')).toEqual(nothing('Project'));
    for (const id of ['1e3', '+1', '1.0', '0x10', ' 1', '１'])
      expect([id, refOf(id, 'Group')]).toEqual([id, { kind: 'Group', by: 'path', value: id }]);
  });

  it('is always a path if the route accepts no ids', () => {
    const byPath = { ...info('Group'), byPath: true };
    for (const id of ['17', 17])
      expect(subjectRef(request({}, undefined, { id }), byPath)).toEqual({
        kind: 'Group',
        by: 'path',
        value: '17',
      });
  });

  it('is never a value that PostgreSQL rejects', () => {
    fc.assert(
      fc.property(fc.anything(), fc.constantFrom<Kind>('Project', 'Group'), (raw, kind) => {
        const ref = subjectRef(request({ id: raw }), info(kind));
        if (ref === null) return;
        if (ref.by === 'id') expect(Number.isSafeInteger(ref.value)).toBe(true);
        else {
          const path = String(ref.value);
          expect(path.length <= 1024 && path.isWellFormed() && !path.includes('\0') && path !== '').toBe(
            true,
          );
        }
      }),
      { numRuns: 500 },
    );
    for (const raw of ['', 'a/b\0c', 'a/\ud800', 'x/'.repeat(600), ['1'], { 0: '1' }, true, 1.5, NaN])
      expect(refOf(raw)).toEqual(nothing('Project'));
  });

  it('is read from path, body and query, in this order', () => {
    expect(subjectRef(request({ id: '1' }, { id: 2 }, { id: '3' }), info('Project'))).toMatchObject({
      value: 1,
    });
    expect(subjectRef(request({}, { id: 2 }, { id: '3' }), info('Project'))).toMatchObject({ value: 2 });
    expect(subjectRef(request({}, 'text', { id: '3' }), info('Project'))).toMatchObject({ value: 3 });
    expect(subjectRef(request({}, null), info('Project'))).toBeNull();
    expect(subjectRef(request({ id: '1' }), info(null))).toBeNull();
  });
});
