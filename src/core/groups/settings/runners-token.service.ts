import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';

/** Prefix of registration tokens that runners and secret scanners know. */
const PREFIX = 'GR1348941';

const TABLES = { Group: 'namespaces', Project: 'projects' } as const;

/** Owner of a registration token. */
export interface RunnersTokenOwner {
  readonly kind: keyof typeof TABLES;
  readonly id: number;
}

const purpose = ({ kind, id }: RunnersTokenOwner): string => `${kind.toLowerCase()}:${id}:runners_token`;

/** With `$4`, an existing token is kept. */
const storeSql = (
  table: string,
): string => `with locked as (select id, runners_token from ${table} where id = $1 for no key update),
    stored as (update ${table} o set runners_token = $2, runners_token_digest = $3 from locked
      where o.id = locked.id and (locked.runners_token is null or not $4::boolean) returning o.runners_token)
  select runners_token from stored union all
  select runners_token from locked where not exists (select 1 from stored)`;

/**
 * Registration tokens of groups and projects for runners: sealed in the row of the owner, created when first
 * read.
 */
@Injectable()
export class RunnersTokenService {
  private readonly logger = new Logger(RunnersTokenService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly secrets: SecretBox,
  ) {}

  /** Returns the token; null if its encryption key is missing. `sealed`: the value of the row, if known. */
  async reveal(owner: RunnersTokenOwner, sealed?: string | null): Promise<string | null> {
    const stored = sealed === undefined ? await this.stored(owner) : sealed;
    if (stored === null) return this.transactions.run((tx) => this.store(tx, owner, true));
    try {
      return this.secrets.open(stored, purpose(owner));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.error(error.message);
      return null;
    }
  }

  /** Replaces the token; registered runners stay registered. */
  reset(tx: Tx, owner: RunnersTokenOwner): Promise<string> {
    return this.store(tx, owner, false);
  }

  private async stored({ kind, id }: RunnersTokenOwner): Promise<string | null> {
    const text = `select runners_token from ${TABLES[kind]} where id = $1`;
    const row = await this.database.one<{ runners_token: string | null }>(text, [id]);
    if (!row) throw notFound(kind);
    return row.runners_token;
  }

  private async store(tx: Tx, owner: RunnersTokenOwner, onlyFirst: boolean): Promise<string> {
    const { kind, id } = owner;
    const token = randomToken(PREFIX);
    const values = [id, this.secrets.seal(token, purpose(owner)), digestToken(token), onlyFirst];
    const [row] = await tx.query<{ runners_token: string }[]>(storeSql(TABLES[kind]), values);
    if (!row) throw notFound(kind);
    return this.secrets.open(row.runners_token, purpose(owner));
  }
}
