import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import { digestToken, randomToken } from '#kernel/crypto/tokens.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';

/** What registration tokens of runners start with. */
const PREFIX = 'GR1348941';

const purpose = (projectId: number): string => `project:${projectId}:runners_token`;

/** The registration token of a project's runners: sealed, with a digest to find the project by, and made when it is first asked for. */
@Injectable()
export class ProjectRunnersTokenService {
  constructor(
    private readonly transactions: Transactions,
    private readonly box: SecretBox,
  ) {}

  /** The token; `sealed` is what the row holds. */
  async reveal(projectId: number, sealed: string | null): Promise<string> {
    return this.box.open(sealed ?? (await this.make(projectId)), purpose(projectId));
  }

  /** Replaces the token; runners that are registered stay so. */
  async reset(tx: Tx, projectId: number): Promise<string> {
    const token = randomToken(PREFIX);
    await this.store(tx, projectId, token);
    return token;
  }

  private async make(projectId: number): Promise<string> {
    const token = randomToken(PREFIX);
    return this.transactions.run(async (tx) => {
      const [row] = await tx.query<{ runners_token: string | null }[]>(
        'select runners_token from projects where id = $1 for no key update',
        [projectId],
      );
      if (!row) throw notFound('Project');
      if (row.runners_token !== null) return row.runners_token;
      return this.store(tx, projectId, token);
    });
  }

  private async store(tx: Tx, projectId: number, token: string): Promise<string> {
    const sealed = this.box.seal(token, purpose(projectId));
    await tx.query('update projects set runners_token = $2, runners_token_digest = $3 where id = $1', [
      projectId,
      sealed,
      digestToken(token),
    ]);
    return sealed;
  }
}
