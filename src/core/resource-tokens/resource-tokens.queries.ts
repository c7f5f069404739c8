import { Injectable } from '@nestjs/common';
import type { Role } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import type { Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { TokenFields } from '#core/tokens/personal-access-token.record.js';
import { inState, TOKEN_COLUMNS } from '#core/tokens/tokens.queries.js';
import type { TokenContainer } from './token-container.js';

/** Row of a bot's token, with the role of the bot. */
export interface ResourceTokenRow extends TokenFields {
  readonly accessLevel: Role | null;
}

const OWNED = `personal_access_tokens t join users u on u.id = t.user_id and not u.pending_delete`;

const LEVEL = `(select m.access_level from members m where m.user_id = u.id and m.source_type = u.bot_source_type
  and m.source_id = u.bot_source_id) as "accessLevel"`;

const OF_CONTAINER = 'u.bot_source_type = $1 and u.bot_source_id = $2 and not t.impersonation';

const LIST: ListShape = {
  kind: 'PersonalAccessToken',
  select: `${TOKEN_COLUMNS}, ${LEVEL}`,
  from: OWNED,
  key: 't.id',
};

const ONE = `select ${TOKEN_COLUMNS}, ${LEVEL} from ${OWNED} where ${OF_CONTAINER} and t.id = $3`;

/** Reads the tokens of projects and groups, except those of bots that are being removed. */
@Injectable()
export class ResourceTokensQueries {
  constructor(private readonly database: ReadDatabase) {}

  list({ sourceType, sourceId }: TokenContainer, state?: 'active' | 'inactive'): ListQuery<ResourceTokenRow> {
    const query = new ListQuery<ResourceTokenRow>(LIST)
      .where('u.bot_source_type = ?', sourceType)
      .where('u.bot_source_id = ?', sourceId)
      .where('not t.impersonation');
    return inState(query, state);
  }

  /** Returns a token of a project or group. @throws 404 */
  async find(container: TokenContainer, id: number): Promise<ResourceTokenRow> {
    return found(
      container,
      await this.database.one<ResourceTokenRow>(ONE, [container.sourceType, container.sourceId, id]),
    );
  }

  /** Returns it within a transaction. @throws 404 */
  async findIn(tx: Tx, container: TokenContainer, id: number): Promise<ResourceTokenRow> {
    const [row] = await tx.query<ResourceTokenRow[]>(ONE, [container.sourceType, container.sourceId, id]);
    return found(container, row);
  }
}

function found(container: TokenContainer, row: ResourceTokenRow | null | undefined): ResourceTokenRow {
  if (!row) throw notFound(`${container.kind} Access Token`);
  return row;
}
