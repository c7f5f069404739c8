import type { Config } from '#kernel/config/config.js';

/** URLs of the database: one for statements and transactions, one for uses that need a whole session (LISTEN, locks beyond a transaction). */
export class DatabaseAddress {
  private constructor(
    readonly url: string,
    /** Leads to PostgreSQL without a pooler in between. */
    readonly direct: string,
    /** Whether a pooler gives each transaction at `url` any free session. */
    readonly isPooled: boolean,
  ) {}

  /** Without a pooler. */
  static direct(url: string): DatabaseAddress {
    return new DatabaseAddress(url, url, false);
  }

  /** `url` is the one that a process has been given: the configured one, the direct one (commands), or that of the embedded server. */
  static of(
    { DATABASE_POOLER, DATABASE_URL, DATABASE_DIRECT_URL: direct }: Config,
    url: string,
  ): DatabaseAddress {
    const isPooled = DATABASE_POOLER === 'transaction' && url === DATABASE_URL && direct !== undefined;
    return isPooled ? new DatabaseAddress(url, direct, true) : DatabaseAddress.direct(url);
  }
}
