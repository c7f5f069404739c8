import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';

const SET = `insert into label_priorities (project_id, label_id, priority) values ($1, $2, $3)
  on conflict (project_id, label_id) do update set priority = excluded.priority`;

/** Manages the priorities of labels in projects. */
@Injectable()
export class LabelPrioritiesService {
  /** Sets the priority of a label in a project; null clears it. */
  async set(tx: Tx, projectId: number, labelId: number, priority: number | null): Promise<void> {
    if (priority === null)
      await tx.query('delete from label_priorities where project_id = $1 and label_id = $2', [
        projectId,
        labelId,
      ]);
    else await tx.query(SET, [projectId, labelId, priority]);
  }
}
