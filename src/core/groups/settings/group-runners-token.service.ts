import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';

/** Prefix of registration tokens, as runners and secret scanners know it. */
const PREFIX = 'GR1348941';

const STORED = `select runners_token from namespaces where id = $1 and type = 'Group'`;

const purpose = (groupId: number): string => `group:${groupId}:runners_token`;

/** The token by which runners register for a group: sealed in its row, made when it is first looked at. */
@Injectable()
export class GroupRunnersTokenService {
  private readonly logger = new Logger(GroupRunnersTokenService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly secrets: SecretBox,
  ) {}

  /** The token of a group, or null when the key that it was sealed with is not there. */
  async reveal(groupId: number): Promise<string | null> {
    const stored = await this.database.one<{ runners_token: string | null }>(STORED, [groupId]);
    if (!stored) throw notFound('Group');
    if (stored.runners_token === null) return this.transactions.run((tx) => this.store(tx, groupId, true));
    try {
      return this.secrets.open(stored.runners_token, purpose(groupId));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.error(error.message);
      return null;
    }
  }

  /** Replaces the token; runners that are registered stay so. */
  async reset(tx: Tx, groupId: number): Promise<string> {
    return this.store(tx, groupId, false);
  }

  private async store(tx: Tx, groupId: number, onlyFirst: boolean): Promise<string> {
    const token = randomToken(PREFIX);
    const [row] = await tx.query<{ runners_token: string }[]>(
      `with locked as (select id, runners_token from namespaces where id = $1 for no key update),
        stored as (update namespaces n set runners_token = $2, runners_token_digest = $3 from locked
          where n.id = locked.id and (locked.runners_token is null or not $4::boolean) returning n.runners_token)
       select runners_token from stored union all
       select runners_token from locked where not exists (select 1 from stored)`,
      [groupId, this.secrets.seal(token, purpose(groupId)), digestToken(token), onlyFirst],
    );
    if (!row) throw notFound('Group');
    return this.secrets.open(row.runners_token, purpose(groupId));
  }
}
