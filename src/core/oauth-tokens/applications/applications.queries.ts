import { Injectable } from '@nestjs/common';
import type { Scope } from '#kernel/access/roles.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { notFound } from '#kernel/http/errors.js';

/** Row of an application in lists and pages; never with its secret. */
export interface ApplicationRow {
  readonly id: number;
  readonly uid: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly Scope[];
  readonly confidential: boolean;
  readonly trusted: boolean;
  readonly ownerId: number | null;
  readonly refreshGracePeriodSeconds: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

const COLUMNS = `a.id, a.uid, a.name, a.redirect_uris as "redirectUris", a.scopes, a.confidential, a.trusted,
  a.owner_id as "ownerId", a.refresh_grace_period_seconds as "refreshGracePeriodSeconds",
  a.created_at as "createdAt", a.updated_at as "updatedAt"`;

const LIST: ListShape = {
  kind: 'Application',
  select: COLUMNS,
  from: 'oauth_applications a',
  key: 'a.id',
};

/** Reads applications. */
@Injectable()
export class ApplicationsQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Lists the applications of the instance. */
  ofInstance(): ListQuery<ApplicationRow> {
    return new ListQuery<ApplicationRow>(LIST).where('a.owner_id is null');
  }

  /** Lists the applications of a user. */
  ofOwner(ownerId: number): ListQuery<ApplicationRow> {
    return new ListQuery<ApplicationRow>(LIST).of('a.owner_id', ownerId);
  }

  /** Returns an application by id. @throws 404 */
  async find(id: number): Promise<ApplicationRow> {
    const text = `select ${COLUMNS} from oauth_applications a where a.id = $1`;
    const row = await this.database.one<ApplicationRow>(text, [id]);
    if (!row) throw notFound('Application');
    return row;
  }

  /** Returns the application with this `client_id`, or null. */
  async findByUidOrNull(uid: string): Promise<ApplicationRow | null> {
    const text = `select ${COLUMNS} from oauth_applications a where a.uid = $1`;
    return uid.includes('\0') ? null : this.database.one<ApplicationRow>(text, [uid]);
  }
}
