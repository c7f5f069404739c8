import { Role } from '#kernel/access/roles.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { RecordRefused } from '#core/exchange/record-refused.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import {
  integerIn,
  neededTextIn,
  recordsIn,
  timeIn,
  type SourceRecord,
} from '#core/exchange/source-record.js';
import { environmentNameProblem } from '../naming/environment-name.js';
import { TIERS } from '../naming/environment-tier.js';
import { DEPLOY_LEVELS } from '../protection/protected-environment.record.js';
import { MAX_APPROVALS } from '../protection/protected-environments.service.js';

const MAX_NAME = 255;
const MAX_ENTRIES = 100;

/** A holder of an imported protection; neither role nor user if unknown here. */
export interface ImportedEntry {
  readonly accessLevel: number | null;
  readonly userId: number | null;
  readonly requiredApprovals: number;
}

/** A validated protection. */
export interface ImportedProtectedEnvironment {
  readonly name: string;
  readonly requiredApprovalCount: number;
  readonly levels: readonly ImportedEntry[];
  readonly rules: readonly ImportedEntry[];
  readonly createdAt: string | null;
  readonly updatedAt: string | null;
}

/** Returns the ids of users in a protection. */
export const protectionUserIds = (record: SourceRecord): number[] =>
  ['deploy_access_levels', 'approval_rules'].flatMap((list) => userIdsOf(record, list, 'user_id'));

/** Parses a protection of a project's environment, or of a group's tier. @throws RecordRefused */
export function protectedEnvironmentOf(
  of: Portable,
  record: SourceRecord,
  target: ImportTarget,
): ImportedProtectedEnvironment {
  const name = neededTextIn(record, 'name', MAX_NAME);
  if (of === 'group' && !(TIERS as readonly string[]).includes(name))
    throw new RecordRefused('name does not have a valid value');
  const problem = environmentNameProblem(name);
  if (problem !== null) throw new RecordRefused(`name ${problem}`);
  const entries = (list: string): ImportedEntry[] =>
    recordsIn(record, list, MAX_ENTRIES).map((entry) => entryOf(entry, target));
  return {
    name,
    requiredApprovalCount: integerIn(record, 'required_approval_count', 0, MAX_APPROVALS) ?? 0,
    levels: entries('deploy_access_levels'),
    rules: entries('approval_rules'),
    createdAt: timeIn(record, 'created_at'),
    updatedAt: timeIn(record, 'updated_at'),
  };
}

const isGiven = (entry: SourceRecord, name: string): boolean =>
  entry[name] !== undefined && entry[name] !== null;

/** Groups are those of the source, unknown here. */
function entryOf(entry: SourceRecord, target: ImportTarget): ImportedEntry {
  const requiredApprovals = integerIn(entry, 'required_approvals', 1, MAX_APPROVALS) ?? 1;
  if (isGiven(entry, 'user_id') || isGiven(entry, 'group_id')) {
    const userId = isGiven(entry, 'group_id') ? null : target.userOf(integerIn(entry, 'user_id', 1));
    return { accessLevel: null, userId, requiredApprovals };
  }
  const level = integerIn(entry, 'access_level', Role.Developer);
  const isLevel = level !== null && DEPLOY_LEVELS.includes(level);
  return { accessLevel: isLevel ? level : null, userId: null, requiredApprovals };
}
