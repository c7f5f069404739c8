import { RecordRefused } from '#core/exchange/record-refused.js';
import type { ImportTarget } from '#core/exchange/import-target.js';
import { userIdsOf } from '#core/exchange/source-ids.js';
import { integerIn, neededTextIn, recordsIn, type SourceRecord } from '#core/exchange/source-record.js';
import { isValidRefName } from '../../ref-name.js';
import { PROTECTION_LEVELS, type ProtectionLevel } from '../protected-ref-access-level.record.js';
import type { ProtectedAction } from '../protected-ref.entity.js';

/** Longest name or pattern. */
const MAX_NAME = 255;
/** Levels of one kind; the API takes as many. */
const MAX_LEVELS = 100;

/** Somebody who may do something with the refs of a protection: a role or a user. */
export interface ImportedRight {
  readonly kind: ProtectedAction;
  readonly accessLevel: ProtectionLevel | null;
  readonly userId: number | null;
}

/** Who may do what with the refs of a protection. */
export interface ImportedRights {
  /** Kinds that somebody must have. */
  readonly kinds: readonly ProtectedAction[];
  readonly rights: readonly ImportedRight[];
  /** How many name users, groups or keys that are not known here. */
  readonly strangers: number;
}

/** Name of the attribute of a kind. */
const attributeOf = (kind: ProtectedAction): string => `${kind}_access_levels`;

/** Ids of users that levels of these kinds name. */
export const rightsUserIds = (record: SourceRecord, kinds: readonly ProtectedAction[]): number[] =>
  kinds.flatMap((kind) => userIdsOf(record, attributeOf(kind), 'user_id'));

/** The name or pattern. @throws RecordRefused for one that no ref can have */
export function refPatternIn(record: SourceRecord): string {
  const name = neededTextIn(record, 'name', MAX_NAME);
  if (!isValidRefName(name.replaceAll('*', 'x'))) throw new RecordRefused('name is invalid');
  return name;
}

/** The levels of a record. A v4 server puts a role beside the id of a user or group, where it means nothing. @throws RecordRefused */
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

/** Where nobody is named who may unprotect, it is left to whoever may administer the project. */
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
