import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { SourceUser } from '#core/transfer/import-target.js';
import { textIn, type SourceRecord } from '#core/transfer/source-record.js';
import { SourceRefused } from '../../source/source-errors.js';
import type { SourceApi } from '../../source/source-api.js';
import { ImportLimits } from '../import-limits.js';
import { someAtOnce } from './some-at-once.js';

/** What the source says of a user, and addresses by which the user may be known here, the best one first. */
interface Answer {
  readonly sourceId: number;
  readonly username: string | null;
  readonly name: string | null;
  readonly addresses: readonly string[];
}

const KNOWN = `select source_id as "sourceId", username, name, user_id as "userId"
  from bulk_import_users where bulk_import_id = $1 and source_id = any($2::bigint[])`;

/** People whose account is not shut; of two who have confirmed an address in different cases of letters, nobody. */
const MATCH = `select address, min(id) as id from (
    select lower(u.email) as address, u.id from users u where lower(u.email) = any($1::text[]) and u.confirmed_at is not null
    union select lower(e.email), e.user_id from user_emails e where lower(e.email) = any($1::text[]) and e.confirmed_at is not null) claims
  join users u using (id) where u.user_type = 'human' and not u.pending_delete and u.state in ('active', 'deactivated')
  group by address having count(distinct id) = 1`;

const KEEP = `insert into bulk_import_users (bulk_import_id, source_id, username, name, user_id)
  select $1::bigint, given.* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) as given order by 1
  on conflict do nothing`;

/** Who users of the source are here: those with the same confirmed address. Each is asked for once in an import. */
@Injectable()
export class SourceUsers {
  constructor(
    private readonly transactions: Transactions,
    private readonly limits: ImportLimits,
  ) {}

  /** What is known of these users, by id at the source. @throws SourceBusy, and SourceRefused when the token does not hold any more */
  async resolve(
    importId: number,
    source: SourceApi,
    sourceIds: readonly number[],
  ): Promise<ReadonlyMap<number, SourceUser>> {
    const ids = [...new Set(sourceIds)].filter((id) => Number.isSafeInteger(id) && id > 0);
    if (ids.length === 0) return new Map();
    const known = await this.transactions.run((tx) => this.known(tx, importId, ids));
    const missing = ids.filter((id) => !known.has(id)).slice(0, this.limits.usersPerBatch);
    if (missing.length === 0) return known;
    const answers = await someAtOnce(missing, this.limits.usersAtOnce, (id) => ask(source, id));
    return this.transactions.run(async (tx) => {
      await this.keep(tx, importId, answers);
      return this.known(tx, importId, ids);
    });
  }

  /** The same for whoever only wants to know: nothing is kept. */
  async look(source: SourceApi, sourceIds: readonly number[]): Promise<readonly SourceUser[]> {
    const answers = await someAtOnce([...new Set(sourceIds)], this.limits.usersAtOnce, (id) =>
      ask(source, id),
    );
    const users = await this.transactions.run((tx) => this.matches(tx, answers));
    return answers.map(({ sourceId, username, name }, index) => ({
      ...{ sourceId, username, name },
      userId: users[index] ?? null,
    }));
  }

  private async known(tx: Tx, importId: number, ids: readonly number[]): Promise<Map<number, SourceUser>> {
    const rows = await tx.query<SourceUser[]>(KNOWN, [importId, ids]);
    return new Map(rows.map((row) => [row.sourceId, row]));
  }

  private async keep(tx: Tx, importId: number, answers: readonly Answer[]): Promise<void> {
    const users = await this.matches(tx, answers);
    await tx.query(KEEP, [
      importId,
      answers.map(({ sourceId }) => sourceId),
      answers.map(({ username }) => username),
      answers.map(({ name }) => name),
      users,
    ]);
  }

  /** Ids of the users here, in the order of the answers. */
  private async matches(tx: Tx, answers: readonly Answer[]): Promise<(number | null)[]> {
    const addresses = [...new Set(answers.flatMap((answer) => answer.addresses))];
    const rows =
      addresses.length === 0 ? [] : await tx.query<{ address: string; id: number }[]>(MATCH, [addresses]);
    const users = new Map(rows.map(({ address, id }) => [address, id]));
    return answers.map((answer) => answer.addresses.map((each) => users.get(each)).find((id) => id) ?? null);
  }
}

/** One who is not there, or not shown, is nobody. */
async function ask(source: SourceApi, sourceId: number): Promise<Answer> {
  try {
    return answerOf(sourceId, await source.get(`/users/${sourceId}`));
  } catch (error) {
    if (error instanceof SourceRefused && error.status !== 401)
      return { sourceId, username: null, name: null, addresses: [] };
    throw error;
  }
}

function answerOf(sourceId: number, record: SourceRecord): Answer {
  // Administrators see addresses that nobody has confirmed, too.
  const isConfirmed = record['confirmed_at'] !== null;
  const addresses = [textOf(record, 'public_email'), isConfirmed ? textOf(record, 'email') : null];
  return {
    sourceId,
    username: textOf(record, 'username'),
    name: textOf(record, 'name'),
    addresses: addresses.filter((each) => each !== null).map((each) => each.toLowerCase()),
  };
}

function textOf(record: SourceRecord, name: string): string | null {
  const value = record[name];
  return typeof value === 'string' && value.length <= 255 ? textIn(record, name, 255) : null;
}
