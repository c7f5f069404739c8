import pg from 'pg';

/**
 * One pipelined connection: statements are sent without waiting for the answers before them. It connects on demand and anew
 * after a loss; what was under way then fails once and is repeated once, which reading allows.
 */
export class ReadLane {
  private connecting: Promise<pg.Client> | null = null;
  private client: pg.Client | null = null;
  private closed = false;

  constructor(private readonly options: pg.ClientConfig) {}

  async query(config: pg.QueryConfig): Promise<pg.QueryResult> {
    const client = this.client ?? (await this.connect());
    try {
      return await client.query(config);
    } catch (error) {
      // An answer of the server (it has a SQLSTATE and leaves the connection open) is final.
      if (this.client === client || this.closed) throw error;
      return (await this.connect()).query(config);
    }
  }

  async close(): Promise<void> {
    this.closed = true;
    const client = await this.connecting?.catch(() => null);
    this.client = null;
    await client?.end();
  }

  private connect(): Promise<pg.Client> {
    this.connecting ??= this.open().catch((error: unknown) => {
      this.connecting = null;
      throw error;
    });
    return this.connecting;
  }

  private async open(): Promise<pg.Client> {
    // `pipeline` is newer than the type definitions of pg.
    const client = new pg.Client({ ...this.options, pipeline: true } as pg.ClientConfig);
    const lost = (): void => {
      if (this.client === client) {
        this.client = null;
        this.connecting = null;
      }
    };
    client.on('error', lost);
    client.on('end', lost);
    await client.connect();
    this.client = client;
    return client;
  }
}
