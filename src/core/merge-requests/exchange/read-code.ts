import { NO_OBJECT } from '#core/repositories/pushes/ref-change.js';
import { isFullSha } from '#core/repositories/source-refs.js';
import { integerIn, recordIn, recordsIn, timeIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { ImportedCode, ImportedVersion } from '../exchange/imported-merge-request.js';

const MAX_VERSIONS = 1_000;

/** Reads a full commit id in lower case; null for anything else. */
export function shaIn(record: SourceRecord, name: string): string | null {
  const value = record[name];
  return isFullSha(value) && value !== NO_OBJECT ? value : null;
}

/** Reads the number of changed files as merge requests show it; null for none. */
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

/**
 * Reads the code of a record: the newest version as v4 servers send it, former ones if the source has them.
 * @throws RecordRefused
 */
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
