import { Injectable } from '@nestjs/common';
import type { Caller, GroupSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/read-database.js';
import { Forbidden, NotFound, type HttpError } from '#kernel/http/errors.js';

/** What rights on an epic depend on. */
export interface EpicFacts {
  readonly id: number;
  readonly iid: number;
  readonly group_id: number;
  readonly title: string;
  readonly author_id: number | null;
  readonly confidential: boolean;
}

const COLUMNS = 'e.id, e.iid, e.group_id, e.title, e.author_id, e.confidential';
const BY_NUMBER = `select ${COLUMNS} from epics e where e.group_id = $1 and e.iid = $2`;
const BY_ID = `select ${COLUMNS} from epics e where e.group_id = $1 and e.id = $2`;

/** Finds single epics for callers whom the guards have let into their group. */
@Injectable()
export class EpicAccess {
  constructor(private readonly database: ReadDatabase) {}

  /** The epic of that number. @throws 404, also for a confidential one and less than a Reporter */
  find(caller: Caller, iid: number): Promise<EpicFacts> {
    return this.read(BY_NUMBER, caller, iid);
  }

  /** The same for those who would change what is in it. @throws 403 for a confidential one and less than a Reporter, 404 */
  findToFill(caller: Caller, iid: number): Promise<EpicFacts> {
    return this.read(BY_NUMBER, caller, iid, Forbidden());
  }

  /** The epic of that id, as notes name it. @throws 404 */
  findById(caller: Caller, id: number): Promise<EpicFacts> {
    return this.read(BY_ID, caller, id);
  }

  private async read(
    text: string,
    { role, subject }: Caller,
    number: number,
    hidden: HttpError = NotFound('Epic'),
  ): Promise<EpicFacts> {
    const facts = await this.database.one<EpicFacts>(text, [(subject as GroupSubject).id, number]);
    if (!facts) throw NotFound('Epic');
    if (facts.confidential && role < Role.Reporter) throw hidden;
    return facts;
  }
}
