import { Injectable } from '@nestjs/common';
import { Transactions } from '#kernel/database/transactions.js';
import { notFound } from '#kernel/http/errors.js';
import type { UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';

const LOCK = 'select id, updated_at from packages where id = $2 and project_id = $1 for update';
const LOCK_FILE = `select f.id, f.updated_at from package_files f join packages p on p.id = f.package_id
  where f.id = $3 and p.id = $2 and p.project_id = $1 for update`;

interface Locked {
  readonly id: number;
  readonly updated_at: Date;
}

/** Removes packages and their files; content is removed after the rows. */
@Injectable()
export class PackagesService {
  constructor(private readonly transactions: Transactions) {}

  /** Removes a package with its files. @throws 404, 412 */
  remove(projectId: number, id: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const [found] = await tx.query<Locked[]>(LOCK, [projectId, id]);
      if (!found) throw notFound('Package');
      unmodified(found.updated_at);
      await tx.query('delete from packages where id = $1', [id]);
    });
  }

  /** Removes a file. @throws 404, 412 */
  removeFile(projectId: number, id: number, fileId: number, unmodified: UnmodifiedCheck): Promise<void> {
    return this.transactions.run(async (tx) => {
      const [found] = await tx.query<Locked[]>(LOCK_FILE, [projectId, id, fileId]);
      if (!found) throw notFound('Package File');
      unmodified(found.updated_at);
      await tx.query('delete from package_files where id = $1', [fileId]);
    });
  }
}
