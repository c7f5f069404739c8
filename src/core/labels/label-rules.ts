import type { Tx } from '#kernel/database/transactions.js';
import { isLongerThan } from '#kernel/http/fields/text-length.js';
import { conflict, type HttpError, invalid } from '#kernel/http/errors.js';
import { colorOf } from './label-colors.js';
import { MAX_TITLE } from './links/label-names.service.js';
import { reachable, type PlanningContainer } from './reach/planning-container.js';

/** Title and color as sent. */
interface Written {
  readonly title?: string | undefined;
  readonly color?: string | undefined;
}

/** Title and color as stored. */
type Kept = { title?: string; color?: string };

function titleProblem(title: string): string | null {
  if (title === '') return "can't be blank";
  if (isLongerThan(title, MAX_TITLE)) return `is too long (maximum is ${MAX_TITLE} characters)`;
  return title.includes(',') ? 'is invalid' : null;
}

/** Validates and normalizes the title and color of a label. @throws 400 with all problems */
export function judgeLabel({ title, color }: Written): Kept {
  const problems: Record<string, string[]> = {};
  const kept: Kept = {};
  if (title !== undefined) {
    const problem = titleProblem(title);
    if (problem) problems['title'] = [problem];
    kept.title = title;
  }
  if (color !== undefined) {
    const known = colorOf(color);
    if (known === null) problems['color'] = ['must be a valid color code'];
    else kept.color = known;
  }
  if (Object.keys(problems).length > 0) throw invalid(problems);
  return kept;
}

/** Error 409 for a label that exists already. */
export const labelExists = (): HttpError => conflict('Label already exists');

/** Error 400 for a name that another label has. */
export const titleTaken = (): HttpError => invalid({ title: ['has already been taken'] });

const taken = (kind: keyof typeof reachable): string =>
  `select 1 from labels l where l.title = $2 and ${reachable[kind]('l', '$1')} limit 1`;

/** Returns whether a title is taken in a project or group, or in a group above. */
export async function isTitleTaken(tx: Tx, container: PlanningContainer, title: string): Promise<boolean> {
  const [kind, id] =
    'projectId' in container
      ? (['project', container.projectId] as const)
      : (['group', container.groupId] as const);
  return (await tx.query<unknown[]>(taken(kind), [id, title])).length > 0;
}
