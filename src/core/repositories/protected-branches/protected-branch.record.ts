import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Flag, Id, Text } from '#kernel/http/fields/scalar-fields.js';
import {
  presentLevels,
  ProtectedRefAccessLevelRecord,
} from '../protection/protected-ref-access-level.record.js';
import type { ProtectedRefRow } from '../protection/protected-refs.queries.js';

/** A protected branch, or a pattern that protects all matching branches. */
export class ProtectedBranchRecord {
  @Id()
  id!: number;

  @Text({ example: 'release/*' })
  name!: string;

  @ListOf(() => ProtectedRefAccessLevelRecord)
  push_access_levels!: ProtectedRefAccessLevelRecord[];

  @ListOf(() => ProtectedRefAccessLevelRecord)
  merge_access_levels!: ProtectedRefAccessLevelRecord[];

  @ListOf(() => ProtectedRefAccessLevelRecord)
  unprotect_access_levels!: ProtectedRefAccessLevelRecord[];

  @Flag()
  allow_force_push!: boolean;

  @Flag()
  code_owner_approval_required!: boolean;
}

/** Presents a protected branch. */
export const presentProtectedBranch = (row: ProtectedRefRow): ProtectedBranchRecord => ({
  id: row.id,
  name: row.name,
  push_access_levels: presentLevels(row.levels, 'push'),
  merge_access_levels: presentLevels(row.levels, 'merge'),
  unprotect_access_levels: presentLevels(row.levels, 'unprotect'),
  allow_force_push: row.allow_force_push,
  code_owner_approval_required: row.code_owner_approval_required,
});
