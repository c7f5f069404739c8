import { ListOf } from '#kernel/http/fields/composite-fields.js';
import { Text } from '#kernel/http/fields/scalar-fields.js';
import {
  presentLevels,
  ProtectedRefAccessLevelRecord,
} from '../protection/protected-ref-access-level.record.js';
import type { ProtectedRefRow } from '../protection/protected-refs.queries.js';

/** A protected tag, or a pattern that protects all matching tags. */
export class ProtectedTagRecord {
  @Text({ example: 'v*' })
  name!: string;

  @ListOf(() => ProtectedRefAccessLevelRecord)
  create_access_levels!: ProtectedRefAccessLevelRecord[];
}

/** Presents a protected tag. */
export const presentProtectedTag = ({ name, levels }: ProtectedRefRow): ProtectedTagRecord => ({
  name,
  create_access_levels: presentLevels(levels, 'create'),
});
