import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

/** Types of objects with a path. */
export type RouteSource = 'Project' | 'Namespace';

/**
 * Current and former full paths of groups, users' namespaces and projects, in one table, so that they never
 * collide.
 */
@Injectable()
export class RoutesService {
  /**
   * Assigns a path to its owner. A former path of another owner is taken over; one in use is refused.
   * @returns whether the path was assigned
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

  /** Turns the current path of an owner into a redirect; call this before claiming the new one. */
  async retire(tx: Tx, sourceType: RouteSource, sourceId: number): Promise<void> {
    await tx.query(
      'update routes set redirect = true where source_type = $1 and source_id = $2 and not redirect',
      [sourceType, sourceId],
    );
  }

  /** Frees all paths of an owner that is being removed. */
  async release(tx: Tx, sourceType: RouteSource, sourceId: number): Promise<void> {
    await tx.query('delete from routes where source_type = $1 and source_id = $2', [sourceType, sourceId]);
  }
}
