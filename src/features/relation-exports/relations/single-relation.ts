import type { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { ExportedRow, Portable, RelationExport } from '#core/exchange/relation-export.js';

/** Row of a group or project with its attributes. */
export interface OwnerRow {
  readonly id: number;
  readonly name: string;
  readonly path: string;
  readonly description: string | null;
  readonly visibility: 'private' | 'internal' | 'public';
  readonly settings: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
  /** Only for projects. */
  readonly archived?: boolean;
  readonly default_branch?: string | null;
  readonly topics?: readonly string[];
}

const COMMON = 'id, name, path, description, visibility, settings, created_at, updated_at';

/** Only the columns named: without runner tokens. */
const OWNERS = {
  group: `select to_jsonb(o) as owner from (select ${COMMON} from namespaces where id = $1 and type = 'Group') o`,
  project: `select to_jsonb(o) as owner from (select ${COMMON}, archived, default_branch, topics from projects where id = $1) o`,
} as const satisfies Record<Portable, string>;

/** A relation with a single object, built from the row of the group or project itself. */
export class SingleRelation implements RelationExport {
  readonly batchable = false;

  constructor(
    private readonly database: ReadDatabase,
    readonly of: Portable,
    readonly relation: string,
    private readonly objectOf: (owner: OwnerRow) => Readonly<Record<string, unknown>>,
  ) {}

  async page(ownerId: number, afterId: number): Promise<readonly ExportedRow[]> {
    if (afterId >= ownerId) return [];
    const row = await this.database.one<{ owner: OwnerRow }>(OWNERS[this.of], [ownerId]);
    return row ? [{ id: ownerId, json: JSON.stringify(this.objectOf(row.owner)) }] : [];
  }
}
