import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import { randomToken } from '#kernel/crypto/tokens.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';

const PURPOSE = 'application_settings:runners_registration_token';

/** Prefix of registration tokens that v4 clients know. */
const PREFIX = 'GR1348941';

interface Row {
  sealed: string | null;
}

/** The token with which runners register for all projects: created when first read, stored encrypted. */
@Injectable()
export class RegistrationTokenService {
  private readonly logger = new Logger(RegistrationTokenService.name);

  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
  ) {}

  /** Returns the token; null if its encryption key is missing. */
  async current(): Promise<string | null> {
    const row = await this.database.one<Row>(
      'select runners_registration_token as sealed from application_settings where id = 1',
      [],
    );
    const sealed = row?.sealed ?? (await this.create());
    try {
      return this.box.open(sealed, PURPOSE);
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.error(error.message);
      return null;
    }
  }

  /** Replaces the token; registered runners stay registered. */
  async reset(tx: Tx): Promise<string> {
    const token = randomToken(PREFIX);
    await tx.query('update application_settings set runners_registration_token = $1 where id = 1', [
      this.box.seal(token, PURPOSE),
    ]);
    return token;
  }

  /** Creates the token; of concurrent callers the first wins. */
  private create(): Promise<string> {
    const sealed = this.box.seal(randomToken(PREFIX), PURPOSE);
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ sealed: string }[]>(
        `with made as (update application_settings set
           runners_registration_token = coalesce(runners_registration_token, $1) where id = 1
           returning runners_registration_token as sealed) select sealed from made`,
        [sealed],
      );
      if (!row) throw new Error('The settings row is missing');
      return row.sealed;
    });
  }
}
