import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { OWNER_TABLES, type OwnerType } from '#core/repositories/repository-ref.js';
import { MOVE_KINDS } from '../storage-move.js';

/** Repositories to move, with their size. */
export interface MovePlan {
  readonly containers: number;
  readonly repositories: number;
  readonly bytes: number;
}

const plan = (
  type: OwnerType,
): string => `select count(distinct o.id)::int as containers, count(r.id)::int as repositories,
    coalesce(sum(r.size_bytes), 0)::bigint as bytes
  from ${OWNER_TABLES[type]} o left join repositories r on r.owner_type = '${type}' and r.owner_id = o.id
  where o.repository_storage = $1 and ($2::bigint is null or o.id = $2) and not o.repository_read_only and ${MOVE_KINDS[type].alive}`;

/** Plans moves without making them. */
@Injectable()
export class MovePlansQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the plan for all owners of a type on a storage, or one of them; sizes as last measured. */
  async find(ownerType: OwnerType, source: string, ownerId: number | null = null): Promise<MovePlan> {
    const [row] = await this.database.long<MovePlan>(plan(ownerType), [source, ownerId]);
    return row ?? { containers: 0, repositories: 0, bytes: 0 };
  }
}
