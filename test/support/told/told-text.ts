import type { ToldStage } from './told-stage.js';
import { PLACES, type ToldItem } from './told-world.js';

/** Returns one of the list. */
export const pick = <T>(list: readonly T[], dice: number): T => list[dice % list.length] as T;

/** Returns a text with mentions, and whom it names. */
export function textOf(
  { world, names }: ToldStage,
  actor: number,
  how: number,
  whom: number,
  kind: ToldItem['kind'],
): { readonly text: string; readonly called: readonly number[] } {
  const user = whom % world.people.length;
  const { username } = world.person(user);
  const direct = (place: 'group' | 'top'): number[] => {
    const isOpen =
      world.groupVisibility === 'public' ||
      (world.groupVisibility === 'internal' && !world.person(actor).isExternal);
    const mayName = isOpen || world.role(actor, place === 'top' ? ['top'] : ['group', 'top']) > 0;
    return mayName ? world.all.filter((one) => world.person(one).roles.has(place)) : [];
  };
  const places = kind === 'epic' ? (['group', 'top'] as const) : PLACES;
  const everybody = world.all.filter((one) => places.some((place) => world.person(one).roles.has(place)));
  const [text, called] = pick<readonly [string, readonly number[]]>(
    [
      ['Nobody', []],
      [`Look, @${username}.`, [user]],
      [`> @${username.toUpperCase()} said`, [user]],
      [`\`@${username}\` and\n\n\`\`\`\n@${username}\n\`\`\`\n x@${username} <!-- @${username} -->`, []],
      [`@${names.group} and @${names.top}/none`, direct('group')],
      [`(@${names.top})`, direct('top')],
      ['@all', everybody],
    ],
    how,
  );
  return { text, called: called.filter((one) => world.person(one).isActive) };
}
