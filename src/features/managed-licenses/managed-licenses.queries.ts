import { Injectable } from '@nestjs/common';
import { byId } from '#kernel/database/lists/keyset-orders.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { licenseCondition } from './license-condition.js';
import type { ManagedLicenseRecord } from './managed-license.record.js';

const LIST: ListShape = {
  kind: 'ManagedLicense',
  select: 'l.id, l.name, l.approval_status',
  from: 'managed_licenses l',
  key: 'l.id',
  keyset: { id: byId('l') },
};

/** Reads managed licenses. */
@Injectable()
export class ManagedLicensesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the licenses of a project, oldest first. */
  list(projectId: number): ListQuery<ManagedLicenseRecord> {
    return new ListQuery<ManagedLicenseRecord>(LIST).of('l.project_id', projectId);
  }

  /** Returns a license by id or name; null if the project has none. */
  find(projectId: number, idOrName: string): Promise<ManagedLicenseRecord | null> {
    const { sql, value } = licenseCondition(idOrName);
    return this.database.one<ManagedLicenseRecord>(
      `select ${LIST.select} from managed_licenses l where l.project_id = $1 and ${sql}`,
      [projectId, value],
    );
  }
}
