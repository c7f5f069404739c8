import { Injectable } from '@nestjs/common';
import type { GroupCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { forbidden, notFound, type HttpError } from '#kernel/http/errors.js';
import { hasSourcesSql } from '#core/notes/note-origins.service.js';

/** Facts of an epic that determine the rights on it. */
export interface EpicFacts {
  readonly id: number;
  readonly iid: number;
  readonly group_id: number;
  readonly title: string;
  readonly author_id: number | null;
  readonly confidential: boolean;
  /** As in `Noteable`. */
  readonly has_sources: boolean;
}

const COLUMNS = `e.id, e.iid, e.group_id, e.title, e.author_id, e.confidential, ${hasSourcesSql('Epic', 'e.id')} as has_sources`;
const BY_NUMBER = `select ${COLUMNS} from epics e where e.group_id = $1 and e.iid = $2`;
const BY_ID = `select ${COLUMNS} from epics e where e.group_id = $1 and e.id = $2`;

/**
 * Emoji paths of notes contain the number or the id of the epic: the note decides, if it belongs to one of
 * them.
 */
const BY_NOTE = `select ${COLUMNS} from epics e where e.group_id = $1 and $2 in (e.iid, e.id)
  order by exists (select 1 from notes n where n.id = $3 and n.noteable_type = 'Epic' and n.noteable_id = e.id) desc, e.id = $2 desc limit 1`;

/** Finds single epics for callers that the guards admitted to their group. */
@Injectable()
export class EpicFinder {
  constructor(private readonly database: ReadDatabase) {}

  /** Finds an epic by number. @throws 404, also if it is confidential and the caller below Reporter */
  find(caller: GroupCaller, iid: number): Promise<EpicFacts> {
    return this.read(BY_NUMBER, caller, iid);
  }

  /**
   * Finds it for changing its content. @throws 403 if it is confidential and the caller a Guest; 404, also if
   * the caller has no role
   */
  findToFill(caller: GroupCaller, iid: number): Promise<EpicFacts> {
    return this.read(BY_NUMBER, caller, iid, forbidden());
  }

  /** Finds an epic by id, as in paths of notes. @throws 404 */
  findById(caller: GroupCaller, id: number): Promise<EpicFacts> {
    return this.read(BY_ID, caller, id);
  }

  /** Finds the epic of a note by number or id. @throws 404 */
  findByNote(caller: GroupCaller, ref: number, noteId: number): Promise<EpicFacts> {
    return this.read(BY_NOTE, caller, ref, notFound('Epic'), noteId);
  }

  private async read(
    text: string,
    { role, subject }: GroupCaller,
    number: number,
    hidden: HttpError = notFound('Epic'),
    ...more: readonly number[]
  ): Promise<EpicFacts> {
    const facts = await this.database.one<EpicFacts>(text, [subject.id, number, ...more]);
    if (!facts) throw notFound('Epic');
    if (facts.confidential && role < Role.Reporter) throw role < Role.Guest ? notFound('Epic') : hidden;
    return facts;
  }
}
