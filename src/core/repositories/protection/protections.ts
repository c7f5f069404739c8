import type { RefType } from './protected-ref.entity.js';
import { isWildcard, patternMatcher } from './ref-pattern.js';

/** Rights of a user by one protection. */
export interface ProtectionRow {
  readonly ref_type: RefType;
  readonly name: string;
  readonly allow_force_push: boolean;
  readonly may_push: boolean;
  readonly may_merge: boolean;
  readonly may_create: boolean;
  readonly developers_can_push: boolean;
  readonly developers_can_merge: boolean;
}

/** Combined rights by all protections that match a branch or tag. */
export type Protection = Omit<ProtectionRow, 'ref_type' | 'name'>;

/** The protections of a project as they apply to a user. */
export class Protections {
  private readonly exact = new Map<string, ProtectionRow>();
  private readonly wildcards: { readonly row: ProtectionRow; readonly matches: (name: string) => boolean }[] =
    [];

  constructor(
    /** Null if the project has no branches yet. */
    readonly defaultBranch: string | null,
    rows: readonly ProtectionRow[],
  ) {
    for (const row of rows) {
      if (isWildcard(row.name)) this.wildcards.push({ row, matches: patternMatcher(row.name) });
      else this.exact.set(`${row.ref_type} ${row.name}`, row);
    }
  }

  /** Returns the rights on a branch or tag; null if it is not protected. */
  of(type: RefType, name: string): Protection | null {
    const exact = this.exact.get(`${type} ${name}`);
    const found = this.wildcards
      .filter(({ row, matches }) => row.ref_type === type && matches(name))
      .map(({ row }) => row);
    if (exact) found.push(exact);
    if (found.length === 0) return null;
    const any = (right: keyof Protection): boolean => found.some((row) => row[right]);
    return {
      allow_force_push: any('allow_force_push'),
      may_push: any('may_push'),
      may_merge: any('may_merge'),
      may_create: any('may_create'),
      developers_can_push: any('developers_can_push'),
      developers_can_merge: any('developers_can_merge'),
    };
  }
}
