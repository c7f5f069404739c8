import { gzipSync } from 'node:zlib';
import type { FakeSource } from '../fake-source.js';

/**
 * Scripts a private group `old` with the id 7 that is empty except for the given lines of an export of epics.
 */
export function scriptGroup(source: FakeSource, epics = ''): void {
  source
    .json('GET /api/v4/version', { version: '15.0.0' })
    .json('GET /api/v4/groups/old', { id: 7, full_path: 'old' })
    .json('GET /api/v4/groups/7', { id: 7, name: 'Old', visibility: 'private' })
    .on('POST /api/v4/groups/7/export_relations', { status: 202, body: {} })
    .on('GET /api/v4/groups/7/export_relations/status', ({ query }) => ({
      body: query.has('relation') ? { relation: query.get('relation'), status: 1 } : [],
    }))
    .on('GET /api/v4/groups/7/export_relations/download', ({ query }) => ({
      body: gzipSync(query.get('relation') === 'epics' ? epics : ''),
    }))
    .json('GET /api/v4/groups/7/members', [])
    .json('GET /api/v4/groups/7/subgroups', [])
    .json('GET /api/v4/groups/7/projects', []);
}
