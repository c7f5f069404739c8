import type { CiVariable, JobDefinition } from '../../jobs/definition/job-definition.js';
import type { MatrixRow, Parallel } from '../keywords/parallel.js';
import { yamlVariable } from '../keywords/variables.js';

/** One of the jobs that `parallel` creates, or the only one without it. */
export interface JobCopy {
  readonly name: string;
  readonly row: MatrixRow;
  readonly variables: readonly CiVariable[];
  readonly parallel: JobDefinition['parallel'];
}

/** Returns the copies, named like `test 1/3` or `test: [linux, debug]`. */
export function copiesOf(name: string, parallel: Parallel | null): readonly JobCopy[] {
  if (!parallel) return [{ name, row: [], variables: [], parallel: null }];
  const rows =
    'matrix' in parallel ? parallel.matrix : Array.from({ length: parallel.total }, (): MatrixRow => []);
  return rows.map((row, index) => ({
    name:
      row.length > 0
        ? `${name}: [${row.map(([, value]) => value).join(', ')}]`
        : `${name} ${index + 1}/${rows.length}`,
    row,
    variables: row.map(([key, value]) => yamlVariable(key, value)),
    parallel: { index: index + 1, total: rows.length },
  }));
}

/** Returns the copies with one of the matrix rows; all copies if no rows are given. */
export const copiesWith = (
  copies: readonly JobCopy[],
  rows: readonly MatrixRow[] | null,
): readonly JobCopy[] =>
  rows === null ? copies : copies.filter(({ row }) => rows.some((wanted) => isSame(row, wanted)));

const isSame = (row: MatrixRow, wanted: MatrixRow): boolean =>
  row.length === wanted.length &&
  wanted.every(([key, value]) => row.some(([other, same]) => other === key && same === value));
