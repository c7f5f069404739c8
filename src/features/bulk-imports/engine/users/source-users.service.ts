import { Injectable } from '@nestjs/common';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { SourceUser } from '#core/exchange/import-target.js';
import { textIn, type SourceRecord } from '#core/exchange/source-record.js';
import type { Entity } from '../../bulk-import.js';
import { SourceRefused } from '../../source/source-errors.js';
import type { SourceApi } from '../../source/source-api.js';
import { ImportLimits } from '../import-limits.js';
import { TurnOver, type TimeLeft } from '../records/turn.js';
import { MatchedPeopleService, type EntityContainer, type Seeker } from './matched-people.service.js';
import { someAtOnce } from './some-at-once.js';

/** The source's facts about a user, with addresses for matching, best first. */
interface Answer {
  readonly sourceId: number;
  readonly username: string | null;
  readonly name: string | null;
  readonly addresses: readonly string[];
}

const KNOWN = `select source_id as "sourceId", username, name, user_id as "userId"
  from bulk_import_users where bulk_import_id = $1 and source_id = any($2::bigint[])`;

const KEEP = `insert into bulk_import_users (bulk_import_id, source_id, username, name, user_id)
  select $1::bigint, given.* from unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[]) as given order by 1
  on conflict do nothing`;

/**
 * Matches users of the source with local users: by address, if the importing user may match it, and except
 * for administrators by membership in the destination under the same username. Each user is looked up once
 * per import.
 */
@Injectable()
export class SourceUsersService {
  constructor(
    private readonly transactions: Transactions,
    private readonly people: MatchedPeopleService,
    private readonly limits: ImportLimits,
  ) {}

  /**
   * Returns the matches of these users, by id at the source. @throws SourceBusy; SourceRefused if the token is
   * no longer valid; TurnOver, with what is known by then stored, if the source takes too long
   */
  async resolve(
    entity: Entity,
    source: SourceApi,
    sourceIds: readonly number[],
    time: TimeLeft,
  ): Promise<ReadonlyMap<number, SourceUser>> {
    const ids = [...new Set(sourceIds)].filter((id) => Number.isSafeInteger(id) && id > 0);
    if (ids.length === 0) return new Map();
    const known = await this.transactions.run((tx) => this.known(tx, entity, ids));
    const missing = ids.filter((id) => !known.has(id)).slice(0, this.limits.usersPerBatch);
    if (missing.length === 0) return known;
    const isOver = (): boolean => time.leftMs === 0;
    const answers = await someAtOnce(missing, this.limits.usersAtOnce, (id) => ask(source, id), isOver);
    const found = await this.transactions.run(async (tx) => {
      await this.keep(tx, entity, answers);
      return this.known(tx, entity, ids);
    });
    // Only time that was spent on answers is over.
    if (answers.length < missing.length) throw new TurnOver(true, time.isLongest);
    return found;
  }

  /** Does the same without storing anything. Without a destination there are no members. */
  async look(
    seeker: Seeker,
    container: EntityContainer,
    source: SourceApi,
    sourceIds: readonly number[],
  ): Promise<readonly SourceUser[]> {
    const answers = await someAtOnce([...new Set(sourceIds)], this.limits.usersAtOnce, (id) =>
      ask(source, id),
    );
    return this.transactions.run(async (tx) => {
      const ids = await this.idsOf(tx, seeker, answers);
      const users = answers.map(({ sourceId, username, name }, index) => ({
        ...{ sourceId, username, name },
        userId: ids[index] ?? null,
      }));
      return this.withMembers(tx, { ...seeker, ...container }, users);
    });
  }

  private async known(tx: Tx, entity: Entity, ids: readonly number[]): Promise<Map<number, SourceUser>> {
    const rows = await tx.query<SourceUser[]>(KNOWN, [entity.importId, ids]);
    const users = await this.withMembers(tx, entity, rows);
    return new Map(users.map((user) => [user.sourceId, user]));
  }

  /** Matches by membership are not stored: they depend on the entity, and change. */
  private async withMembers(
    tx: Tx,
    { importsAsAdmin, ...container }: Seeker & EntityContainer,
    users: readonly SourceUser[],
  ): Promise<readonly SourceUser[]> {
    if (importsAsAdmin) return users;
    const names = users.flatMap(({ userId, username }) =>
      userId === null && username !== null ? [username.toLowerCase()] : [],
    );
    const members = await this.people.members(tx, container, names);
    return users.map((user) => {
      const userId = user.userId ?? members.get(user.username?.toLowerCase() ?? '') ?? null;
      return { ...user, userId };
    });
  }

  private async keep(tx: Tx, entity: Entity, answers: readonly Answer[]): Promise<void> {
    const users = await this.idsOf(tx, entity, answers);
    await tx.query(KEEP, [
      entity.importId,
      answers.map(({ sourceId }) => sourceId),
      answers.map(({ username }) => username),
      answers.map(({ name }) => name),
      users,
    ]);
  }

  /** Returns the ids of local users matched by address, in the order of the answers. */
  private async idsOf(tx: Tx, seeker: Seeker, answers: readonly Answer[]): Promise<(number | null)[]> {
    const users = await this.people.byAddress(
      tx,
      seeker,
      answers.flatMap((answer) => answer.addresses),
    );
    return answers.map((answer) => answer.addresses.map((each) => users.get(each)).find((id) => id) ?? null);
  }
}

/** A missing or hidden user is unknown. */
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
  // Administrators also see unconfirmed addresses.
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
