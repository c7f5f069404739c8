import { Count } from '#kernel/http/fields/scalar-fields.js';

/** Completed tasks in a description. */
export class TaskCompletionRecord {
  @Count()
  count!: number;

  @Count()
  completed_count!: number;
}

/** Counts stored in a row. */
export interface TaskRow {
  readonly task_count: number;
  readonly completed_task_count: number;
}

/** Presents the counts of a row. */
export const presentTasks = (row: TaskRow): TaskCompletionRecord => ({
  count: row.task_count,
  completed_count: row.completed_task_count,
});

/** Describes the counts in words, if there are tasks. */
export const taskStatus = ({ task_count: count, completed_task_count: completed }: TaskRow): string =>
  `${completed} of ${count} checklist item${count === 1 ? '' : 's'} completed`;
