import { Injectable } from '@nestjs/common';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { UTC_TODAY } from '#kernel/database/time.sql.js';
import type { LicenseRow } from './license.record.js';

const SHAPE: ListShape = {
  kind: 'License',
  select: `l.id, l.plan, l.data, l.starts_at, l.expires_at, coalesce(l.expires_at <= ${UTC_TODAY}, false) as expired, l.created_at`,
  from: 'licenses l',
  key: 'l.id',
};

/** Reads stored licenses. */
@Injectable()
export class LicensesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists all licenses, newest first. */
  list(): ListQuery<LicenseRow> {
    return new ListQuery<LicenseRow>(SHAPE).orderBy('l.id', 'desc');
  }

  /** Returns a license, or null. */
  find(id: number): Promise<LicenseRow | null> {
    return this.database.one(`select ${SHAPE.select} from ${SHAPE.from} where l.id = $1`, [id]);
  }

  /** Returns the newest license that is valid today, else the newest; null if there is none. */
  current(): Promise<LicenseRow | null> {
    return this.database.one(
      `select ${SHAPE.select} from ${SHAPE.from}
       order by (l.starts_at <= ${UTC_TODAY} and coalesce(l.expires_at > ${UTC_TODAY}, true)) desc, l.id desc limit 1`,
      [],
    );
  }
}
