import { integerIn, recordIn, recordsIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { ImportedCode, ImportedVersion } from '../exchange/imported-merge-request.js';

const MAX_VERSIONS = 1_000;
const FULL_SHA = /^[0-9a-f]{40}$/;
const NOTHING = '0'.repeat(40);

/** A full id of a commit, in small letters; null for anything else. */
export function shaIn(record: SourceRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' && FULL_SHA.test(value) && value !== NOTHING ? value : null;
}

/** Number of changed files as merge requests show it; none is null. */
function changesIn(diff: SourceRecord): string | null {
  const size = diff['real_size'];
  if (typeof size === 'string' && /^[1-9]\d{0,5}\+?$/.test(size)) return size;
  const count = integerIn(diff, 'files_count', 1, 999_999);
  return count === null ? null : String(count);
}

function versionIn(diff: SourceRecord): ImportedVersion[] {
  const start = shaIn(diff, 'start_commit_sha');
  const head = shaIn(diff, 'head_commit_sha');
  if (start === null || head === null) return [];
  const base = shaIn(diff, 'base_commit_sha');
  return [{ base, start, head, changes: changesIn(diff), createdAt: timeIn(diff, 'created_at') }];
}

/** The code of a record: the newest version as v4 servers have it, the former ones where the source sends them. @throws RecordRefused */
export function codeIn(record: SourceRecord): ImportedCode {
  const diff = recordIn(record, 'merge_request_diff') ?? {};
  const former = recordsIn(record, 'merge_request_versions', MAX_VERSIONS).flatMap(versionIn);
  return {
    base: shaIn(diff, 'base_commit_sha'),
    start: shaIn(diff, 'start_commit_sha') ?? shaIn(record, 'target_branch_sha'),
    head:
      shaIn(diff, 'head_commit_sha') ?? shaIn(record, 'diff_head_sha') ?? shaIn(record, 'source_branch_sha'),
    changes: changesIn(diff),
    versions: former.length > 0 ? former : versionIn(diff),
  };
}
