import { metrics } from '#kernel/log/metrics.js';
import { startApi, type TestApi } from './api.js';
import type { Answer, ApiClient } from './client.js';
import { ReplicatedPostgres } from './replicated-postgres.js';
import { until } from './until.js';

/** Number of list reads that each server has answered. */
export interface ListReads {
  readonly replica: number;
  readonly primary: number;
}

/** Two processes of the product on a database that has a replica. */
export class ReplicatedApi {
  private constructor(
    readonly postgres: ReplicatedPostgres,
    readonly one: TestApi,
    readonly other: TestApi,
  ) {}

  /** `settingsFor` returns settings that depend on the addresses. */
  static async start(
    settingsFor: (postgres: ReplicatedPostgres) => Promise<Readonly<Record<string, string>>> = () =>
      Promise.resolve({}),
  ): Promise<ReplicatedApi> {
    const postgres = await ReplicatedPostgres.start();
    const settings = {
      DATABASE_URL: postgres.primary.url,
      DATABASE_REPLICA_URL: postgres.replica.url,
      ...(await settingsFor(postgres)),
    };
    const one = await startApi(settings);
    return new ReplicatedApi(postgres, one, await startApi(settings));
  }

  async close(): Promise<void> {
    await this.one.close();
    await this.other.close();
    await this.postgres.stop();
  }

  /** The counts of the metric, which both processes share here. */
  async reads(): Promise<ListReads> {
    const text = await metrics.getSingleMetricAsString('database_reads_total');
    const of = (server: string): number =>
      Number(new RegExp(`^database_reads_total\\{server="${server}"\\} (\\d+)`, 'm').exec(text)?.[1] ?? 0);
    return { replica: of('replica'), primary: of('primary') };
  }

  /** A list, and the number of its reads by server. */
  async list<T = { iid: number }>(
    client: ApiClient,
    path: string,
  ): Promise<{ answer: Answer<T[]>; by: ListReads }> {
    const before = await this.reads();
    const answer = await client.get<T[]>(path);
    const after = await this.reads();
    return {
      answer,
      by: { replica: after.replica - before.replica, primary: after.primary - before.primary },
    };
  }

  /** Waits until the replica answers a list of this client. */
  async untilReplica(client: ApiClient, path: string): Promise<void> {
    await this.rememberLongEnough();
    await this.untilBy('replica', client, path);
  }

  /** Waits until the primary answers it. */
  async untilPrimary(client: ApiClient, path: string): Promise<void> {
    await this.untilBy('primary', client, path);
  }

  private async untilBy(server: keyof ListReads, client: ApiClient, path: string): Promise<void> {
    let last = '';
    const look = async (): Promise<boolean> => {
      const { answer, by } = await this.list(client, path);
      last = `${answer.status} ${answer.text.slice(0, 200)} by ${JSON.stringify(by)}`;
      return by[server] > 0;
    };
    await until(look).catch((error: unknown) => {
      throw new Error(`The ${server} does not answer: ${last}`, { cause: error });
    });
  }

  /** The table of writers is used once it has existed for some seconds: these are skipped. */
  private async rememberLongEnough(): Promise<void> {
    await this.postgres.primary.sql(
      `update recent_writers set wrote_at = wrote_at - interval '1 minute' where user_id = 0`,
    );
  }
}
