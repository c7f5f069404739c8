import { Count } from '#kernel/http/fields/scalar-fields.js';

/** How many of the tasks in a description are done. */
export class TaskCompletionRecord {
  @Count()
  count!: number;

  @Count()
  completed_count!: number;
}

/** The counts that a row keeps. */
export interface TaskRow {
  readonly task_count: number;
  readonly completed_task_count: number;
}

/** The counts of a row as records carry them. */
export const presentTasks = (row: TaskRow): TaskCompletionRecord => ({
  count: row.task_count,
  completed_count: row.completed_task_count,
});

/** The same in words, for what has tasks. */
export const taskStatus = ({ task_count: count, completed_task_count: completed }: TaskRow): string =>
  `${completed} of ${count} checklist item${count === 1 ? '' : 's'} completed`;
