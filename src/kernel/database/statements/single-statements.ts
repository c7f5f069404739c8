import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { poolOf } from '../own-pool.js';
import { runPrepared, type PreparedStatement } from './prepared.js';
import { repeated, Transactions } from '../transactions.js';

/**
 * Prepared statements that are transactions of their own: what writes in one statement spares the round trips of a begin and a commit
 * (measured: a refresh of a token costs half as much CPU). Deadlocks are retried as by `Transactions.run`.
 */
@Injectable()
export class SingleStatements {
  constructor(
    private readonly dataSource: DataSource,
    private readonly transactions: Transactions,
  ) {}

  /** Rows of the statement, which has been committed; within `Transactions.together`, or where a job must prove that it is its own, as a part of that. */
  async run<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    if (this.transactions.isBound)
      return this.transactions.run((tx) => runPrepared<Row>(tx, statement, values));
    return repeated(() => this.once<Row>(statement, values));
  }

  private async once<Row extends object>(statement: PreparedStatement, values: unknown[]): Promise<Row[]> {
    // Not `pool.query`: whoever waited for a connection there would be counted for the request that has given it back.
    const client = await poolOf(this.dataSource).connect();
    try {
      const { rows } = await client.query<Row>({ ...statement, values });
      client.release();
      return rows;
    } catch (error) {
      client.release(error as Error);
      throw error;
    }
  }
}
