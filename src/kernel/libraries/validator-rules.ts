import { getMetadataStorage } from 'class-validator';
import { hasFunctions, reach } from './reach.js';

/**
 * Benefit: classes without rules of their own, which are most, are not walked at all. The public way is to
 * query the library for each.
 */
const rulesReach = reach({
  library: 'class-validator',
  broken:
    'class-validator no longer tells which properties have rules (src/kernel/libraries/validator-rules.ts): each set of parameters is handed to it, rules or not',
  looksRight: () =>
    hasFunctions(getMetadataStorage(), 'getTargetValidationMetadatas') &&
    Array.isArray(getMetadataStorage().getTargetValidationMetadatas(Object, '', true, false)),
});

/** Returns the properties with class-validator rules of their own; null if unknown. */
export function ruledProperties(type: abstract new (...args: never[]) => object): readonly string[] | null {
  if (!rulesReach.available) return null;
  const rules = getMetadataStorage().getTargetValidationMetadatas(type, '', true, false);
  return [...new Set(rules.map(({ propertyName }) => propertyName))];
}
