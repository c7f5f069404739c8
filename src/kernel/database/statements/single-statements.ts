import { Injectable, Optional } from '@nestjs/common';
import type pg from 'pg';
import { DataSource } from 'typeorm';
import { poolOf } from '../own-pool.js';
import {
  askTogether,
  runPrepared,
  runTogether,
  type AskedStatement,
  type PreparedStatement,
} from './prepared.js';
import { repeated, Transactions } from '../transactions.js';
import { WriteNotes } from '../replica/write-notes.js';

/**
 * Prepared statements that are transactions of their own: a write in one statement saves the round trips of
 * begin and commit (measured: refreshing a token costs half as much CPU time). Deadlocks are retried as by
 * `Transactions.run`.
 */
@Injectable()
export class SingleStatements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
    @Optional() private readonly notes?: WriteNotes,
  ) {}

  /**
   * Returns the rows of the statement, which has been committed; within `Transactions.together`, or if a job
   * must prove its ownership, it is part of that transaction.
   */
  async run<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    if (this.transactions.isBound)
      return this.transactions.run((tx) => runPrepared<Row>(tx, statement, values));
    const rows = await repeated(() => this.once<Row>(statement, values));
    await this.notes?.written();
    return rows;
  }

  /**
   * Returns the rows of several independent statements, one after another, in one round trip: they are one
   * transaction, which has been committed, and a failing one rolls back the others.
   */
  async together<Rows extends readonly object[]>(asked: {
    readonly [At in keyof Rows]: AskedStatement;
  }): Promise<{ readonly [At in keyof Rows]: Rows[At][] }> {
    const { isBound } = this.transactions;
    const all = isBound
      ? await this.transactions.run((tx) => runTogether(tx, asked))
      : await repeated(() => this.withClient((client) => askTogether(client, asked)));
    if (!isBound) await this.notes?.written();
    return all as { readonly [At in keyof Rows]: Rows[At][] };
  }

  private once<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    return this.withClient(async (client) => (await client.query<Row>({ ...statement, values })).rows);
  }

  private async withClient<T>(ask: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    // Not `pool.query`: its callback would be counted for the request that returned the connection.
    const client = await poolOf(this.dataSource).connect();
    try {
      const answer = await ask(client);
      client.release();
      return answer;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }
}
