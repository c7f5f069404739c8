import type { Gemoji } from 'gemoji';
import { emojiAliases } from './emoji-aliases.js';

interface Known {
  /** The name by which an emoji is kept, by each of its names. */
  readonly kept: ReadonlyMap<string, string>;
  /** Kept names of what comes in five tones of skin: hands and single persons. */
  readonly toned: ReadonlySet<string>;
}

/** First of the 26 letters of which flags are made, and the distance to the letter that it stands for. */
const FIRST_INDICATOR = 0x1f1e6;
const TO_LETTER = FIRST_INDICATOR - 'a'.charCodeAt(0);

/** What a tone of skin can follow. */
const PERSONS = /\p{Emoji_Modifier_Base}/gu;

let names: Promise<Known> | null = null;

/** The lists are long, and not every process ever needs them. */
const known = (): Promise<Known> => (names ??= import('gemoji').then(({ gemoji }) => knownOf(gemoji)));

function knownOf(all: readonly Gemoji[]): Known {
  const kept = emojiAliases();
  const toned = new Set<string>();
  const codes: string[] = [];
  for (const { emoji, names: given } of all) {
    const isToned = emoji.match(PERSONS)?.length === 1;
    const code = countryOf(emoji);
    if (code !== null) codes.push(code);
    for (const name of given) {
      const by = code === null ? (kept.get(name) ?? name) : `flag_${code}`;
      kept.set(name, by);
      if (isToned) toned.add(by);
    }
  }
  for (const code of codes) {
    kept.set(`flag_${code}`, `flag_${code}`);
    // A bare code means the flag only where it means nothing else, such as `id` or `tv`.
    if (!kept.has(code)) kept.set(code, `flag_${code}`);
  }
  for (const letter of 'abcdefghijklmnopqrstuvwxyz')
    kept.set(`regional_indicator_${letter}`, `regional_indicator_${letter}`);
  return { kept, toned };
}

/** The code of the country of a flag; null for any other emoji. */
function countryOf(emoji: string): string | null {
  const letters = Array.from(emoji, (sign) => (sign.codePointAt(0) ?? 0) - TO_LETTER);
  const code = String.fromCodePoint(...letters.map((letter) => Math.max(letter, 0)));
  return /^[a-z]{2}$/.test(code) ? code : null;
}

/** The name by which v4 keeps an emoji; null where there is none of this name. */
export async function emojiName(given: string): Promise<string | null> {
  const { kept, toned } = await known();
  const whole = kept.get(given);
  if (whole !== undefined) return whole;
  const [, base = '', tone = ''] = /^(.+)_tone([1-5])$/.exec(given) ?? [];
  const name = kept.get(base);
  return name !== undefined && toned.has(name) ? `${name}_tone${tone}` : null;
}
