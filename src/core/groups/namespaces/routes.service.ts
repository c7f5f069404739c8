import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** What a path can lead to. */
export type RouteSource = 'Project' | 'Namespace';

/** Full paths of groups, users' namespaces and projects, present and past: one table, so that they never collide. */
@Injectable()
export class RoutesService {
  /**
   * Gives a path to its owner. A path that somebody else had once is taken over; one in use is refused.
   * @returns whether the path is now theirs
   */
  async claim(tx: Tx, fullPath: string, sourceType: RouteSource, sourceId: number): Promise<boolean> {
    const rows = await tx.query<unknown[]>(
      `insert into routes (path, source_type, source_id) values (lower($1), $2, $3)
       on conflict (path) do update set source_type = excluded.source_type, source_id = excluded.source_id, redirect = false
         where routes.redirect or (routes.source_type = excluded.source_type and routes.source_id = excluded.source_id)
       returning 1`,
      [fullPath, sourceType, sourceId],
    );
    return rows.length > 0;
  }

  /** Turns the present path of an owner into one that redirects; call it before claiming the new one. */
  async retire(tx: Tx, sourceType: RouteSource, sourceId: number): Promise<void> {
    await tx.query(
      'update routes set redirect = true where source_type = $1 and source_id = $2 and not redirect',
      [sourceType, sourceId],
    );
  }

  /** Frees every path of an owner that is being deleted. */
  async release(tx: Tx, sourceType: RouteSource, sourceId: number): Promise<void> {
    await tx.query('delete from routes where source_type = $1 and source_id = $2', [sourceType, sourceId]);
  }
}
