import { RecordRefused } from '#core/exchange/record-refused.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import { integerIn, neededTextIn, recordsIn, type SourceRecord } from '#core/exchange/source-record.js';
import { isValidRefName } from '../../ref-name.js';
import { PROTECTION_LEVELS, type ProtectionLevel } from '../protected-ref-access-level.record.js';
import type { ProtectedAction } from '../protected-ref.entity.js';

/** Limit of characters of a name or pattern. */
const MAX_NAME = 255;
/** Limit of levels of one kind, as in the API. */
const MAX_LEVELS = 100;

/** A holder of an imported right: a role or a user. */
export interface ImportedRight {
  readonly kind: ProtectedAction;
  readonly accessLevel: ProtectionLevel | null;
  readonly userId: number | null;
}

/** Rights of an imported protection. */
export interface ImportedRights {
  /** Kinds that need at least one holder. */
  readonly kinds: readonly ProtectedAction[];
  readonly rights: readonly ImportedRight[];
  /** Number of levels whose users, groups or keys are unknown here. */
  readonly strangers: number;
}

/** Returns the attribute name of a kind. */
const attributeOf = (kind: ProtectedAction): string => `${kind}_access_levels`;

/** Returns the ids of users in the levels of these kinds. */
export const rightsUserIds = (record: SourceRecord, kinds: readonly ProtectedAction[]): number[] =>
  kinds.flatMap((kind) => userIdsOf(record, attributeOf(kind), 'user_id'));

/** Reads the name or pattern. @throws RecordRefused if no ref can have it */
export function refPatternIn(record: SourceRecord): string {
  const name = neededTextIn(record, 'name', MAX_NAME);
  if (!isValidRefName(name.replaceAll('*', 'x'))) throw new RecordRefused('name is invalid');
  return name;
}

/**
 * Reads the levels of a record. v4 servers write a role next to the id of a user or group; it is ignored
 * then. @throws RecordRefused
 */
export function rightsIn(
  record: SourceRecord,
  kinds: readonly ProtectedAction[],
  target: ImportTarget,
): ImportedRights {
  const rights: ImportedRight[] = [];
  let strangers = 0;
  for (const kind of kinds)
    for (const level of recordsIn(record, attributeOf(kind), MAX_LEVELS)) {
      const right = rightOf(kind, level, target);
      if (right) rights.push(right);
      else strangers += 1;
    }
  return { kinds: kinds.filter((kind) => isNeeded(record, kind)), rights, strangers };
}

/** Without a holder of `unprotect`, the right falls to those who can administer the project. */
const isNeeded = (record: SourceRecord, kind: ProtectedAction): boolean =>
  kind !== 'unprotect' || recordsIn(record, attributeOf(kind), MAX_LEVELS).length > 0;

const isGiven = (level: SourceRecord, name: string): boolean =>
  level[name] !== undefined && level[name] !== null;

function rightOf(kind: ProtectedAction, level: SourceRecord, target: ImportTarget): ImportedRight | null {
  if (isGiven(level, 'group_id') || isGiven(level, 'deploy_key_id')) return null;
  if (isGiven(level, 'user_id')) {
    const userId = target.userOf(integerIn(level, 'user_id', 1));
    return userId === null ? null : { kind, accessLevel: null, userId };
  }
  const given = level['access_level'];
  const accessLevel = PROTECTION_LEVELS.find((one) => one === given);
  return accessLevel === undefined ? null : { kind, accessLevel, userId: null };
}
