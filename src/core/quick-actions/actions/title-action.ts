import { isLongerThan } from '#kernel/http/fields/text-length.js';
import type { WrittenCommand } from '../parsing/parse-commands.js';
import { assertMay, CommandRefused, lastOf, shown, type AttributeAction } from '../quick-action.js';

const MAX_TITLE = 255;

/** Other actions that change titles: `retitle` computes the new title. */
export interface TitleTexts {
  readonly names: readonly string[];
  readonly retitle: (title: string, command: WrittenCommand) => string;
  readonly event: (command: WrittenCommand) => Readonly<Record<string, unknown>>;
}

const NONE: TitleTexts = { names: [], retitle: (title) => title, event: () => ({}) };

/**
 * Returns the title after the actions, of which each `/title` replaces the earlier ones; null if it is too
 * long.
 */
function titleIn(
  before: string,
  uses: readonly WrittenCommand[],
  retitle: TitleTexts['retitle'],
): string | null {
  const named = uses.findLastIndex(({ name, argument }) => name === 'title' && argument !== '');
  let title = uses[named]?.argument ?? before;
  // Check this first: with many actions in a text, each would process the whole title.
  if (isLongerThan(title, MAX_TITLE)) return null;
  for (const use of uses.slice(named + 1)) if (use.name !== 'title') title = retitle(title, use);
  return isLongerThan(title, MAX_TITLE) ? null : title;
}

/** `/title`, and other actions that change titles. */
export function titleAction({ names, retitle, event }: TitleTexts = NONE): AttributeAction {
  return {
    when: 'attributes',
    kind: 'title',
    names: ['title', ...names],
    async apply({ target }, uses) {
      const last = lastOf(uses);
      assertMay(target.mayUpdate, last);
      if (last.name === 'title' && last.argument === '')
        throw new CommandRefused('Could not apply /title: it needs a title.');
      const { title: before } = await target.now();
      const title = titleIn(before, uses, retitle);
      if (title === null)
        throw new CommandRefused(`Could not apply /${last.name}: the title would be too long.`);
      if (title === before) return { said: [`The title is "${shown(title)}" already.`] };
      await target.change({ title });
      const events: Record<string, unknown> = {};
      for (const use of uses) Object.assign(events, event(use));
      return { changes: { title, ...events }, said: [`Changed the title to "${shown(title)}".`] };
    },
  };
}
