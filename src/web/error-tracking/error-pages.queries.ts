import { Injectable } from '@nestjs/common';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';

/** The events before and after an event of an error, in order of arrival; null if there is none. */
export interface EventNeighbours {
  readonly older: number | null;
  readonly newer: number | null;
}

/** Each of them is one step along the index of the events of an error. */
const NEIGHBOURS = `select
  (select o.id from error_tracking_events o where o.error_id = any(array[$1::bigint]) and o.id < $2
    order by o.error_id desc, o.id desc limit 1) as older,
  (select n.id from error_tracking_events n where n.error_id = any(array[$1::bigint]) and n.id > $2
    order by n.error_id, n.id limit 1) as newer`;

/** Queries of the error pages beyond those of the API. */
@Injectable()
export class ErrorPagesQueries {
  constructor(private readonly database: ReadDatabase) {}

  /** Returns the events before and after an event of an error. */
  neighbours(errorId: number, eventId: number): Promise<EventNeighbours> {
    return this.database.always<EventNeighbours>(NEIGHBOURS, [errorId, eventId]);
  }
}
