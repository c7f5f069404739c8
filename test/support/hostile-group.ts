import { gzipSync } from 'node:zlib';
import type { FakeSource } from './fake-source.js';

/**
 * Scripts a group `evil` with nothing but invalid data; `member` and `other` are user names here that it
 * claims as members.
 */
export function scriptHostileGroup(source: FakeSource, member: string, other: string): void {
  source
    .json('GET /api/v4/version', { version: '15.0.0' })
    .json('GET /api/v4/groups/evil', { id: 7, full_path: 'evil' })
    .json('GET /api/v4/groups/7', {
      id: 7,
      name: '<b>evil</b>',
      visibility: 'public',
      description: ['x'],
      project_creation_level: 'everybody',
      subgroup_creation_level: 'owner',
      two_factor_grace_period: 1e9,
      shared_runners_minutes_limit: 5,
    })
    .on('POST /api/v4/groups/7/export_relations', { status: 202, body: {} })
    .on('GET /api/v4/groups/7/export_relations/status', ({ query }) => ({
      body: query.has('relation') ? { relation: query.get('relation'), status: 1 } : [],
    }))
    .on('GET /api/v4/groups/7/export_relations/download', { body: gzipSync('') })
    .json('GET /api/v4/groups/7/members', [
      { id: 5, access_level: 999 },
      { id: 6, access_level: 50 },
      { id: 'x', access_level: 50 },
      { id: 8, access_level: 50, expires_at: '2001-01-01' },
      { id: 9, access_level: 45, expires_at: 'never' },
    ])
    .json('GET /api/v4/users/5', { id: 5, public_email: `${member}@example.com` })
    .json('GET /api/v4/users/6', { id: 6, email: 'nobody@example.com', confirmed_at: null })
    .json('GET /api/v4/users/8', { id: 8, public_email: `${other}@example.com` })
    .json('GET /api/v4/users/9', { id: 9, public_email: `${other}@example.com` })
    .json('GET /api/v4/groups/7/subgroups', [
      { id: 7, full_path: 'evil' },
      { id: 1, full_path: 'top' },
      { id: 2, full_path: 'evil/../top' },
      { id: 3, full_path: 'evil/a b' },
      { id: 4, full_path: { toString: 'evil/x' } },
    ])
    .json('GET /api/v4/groups/7/projects', [{ id: 1, path_with_namespace: 'evil/deep/er' }]);
}
