import { List } from '#kernel/http/fields/composite-fields.js';
import { Count, Flag, Id, IsoDate, OneOf, Text } from '#kernel/http/fields/scalar-fields.js';
import { Tier } from '#kernel/access/roles.js';
import type { Links } from '#kernel/http/links.js';

/** The public attributes of a namespace. */
export class NamespaceBasicRecord {
  @Id()
  id!: number;

  @Text()
  name!: string;

  @Text()
  path!: string;

  @OneOf(['user', 'group'], { example: 'group' })
  kind!: string;

  @Text()
  full_path!: string;

  @Id({ nullable: true })
  parent_id!: number | null;

  @Text({ nullable: true })
  avatar_url!: string | null;

  @Text()
  web_url!: string;
}

/** A namespace (`auth-core.md` 6.3); optional attributes are shown to its administrators. */
export class NamespaceRecord extends NamespaceBasicRecord {
  @Count({ optional: true })
  members_count_with_descendants?: number;

  @Count({ optional: true })
  billable_members_count?: number;

  @Count({ optional: true })
  seats_in_use?: number;

  @Count({ optional: true })
  max_seats_used?: number;

  @Text({ optional: true })
  plan?: string;

  @Flag({ optional: true })
  trial?: boolean;

  @IsoDate({ optional: true, nullable: true })
  trial_ends_on?: string | null;
}

/** Whether a path is in use, and free paths like it. */
export class NamespaceExistsRecord {
  @Flag()
  exists!: boolean;

  @List(Text())
  suggests!: string[];
}

/** Row of the basic record. */
export interface NamespaceBasicRow {
  readonly id: number;
  readonly type: 'User' | 'Group';
  readonly name: string;
  readonly path: string;
  readonly full_path: string;
  readonly parent_id: number | null;
  readonly avatar: string | null;
  /** Owner of a user's namespace, whose avatar it shows. */
  readonly owner_id: number | null;
}

/** Row of a namespace; the counts are only valid for its administrators. */
export interface NamespaceRow extends NamespaceBasicRow {
  readonly administers: boolean;
  /** Number of all members including those below, and of members who use a seat. */
  readonly member_counts: readonly [members: number, seats: number];
}

/** Presents the public attributes. */
export function presentNamespaceBasic(row: NamespaceBasicRow, links: Links): NamespaceBasicRecord {
  const isUser = row.type === 'User';
  return {
    id: row.id,
    name: row.name,
    path: row.path,
    kind: isUser ? 'user' : 'group',
    full_path: row.full_path,
    parent_id: row.parent_id,
    avatar_url:
      row.owner_id === null
        ? links.avatar('group', row.id, row.avatar)
        : links.avatar('user', row.owner_id, row.avatar),
    web_url: isUser ? links.user(row.full_path) : links.group(row.full_path),
  };
}

/** Presents a namespace. */
export function presentNamespace(
  row: NamespaceRow,
  { plan, tier }: { readonly plan: string; readonly tier: Tier },
  links: Links,
): NamespaceRecord {
  const record: NamespaceRecord = presentNamespaceBasic(row, links);
  if (!row.administers) return record;
  const [members, seats] = row.member_counts;
  if (row.type === 'Group') record.members_count_with_descendants = members;
  if (tier >= Tier.Premium) {
    record.billable_members_count = seats;
    record.seats_in_use = seats;
    record.max_seats_used = seats;
    record.plan = plan;
    record.trial = false;
    record.trial_ends_on = null;
  }
  return record;
}
