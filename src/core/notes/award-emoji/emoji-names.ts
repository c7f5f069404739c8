import type { Gemoji } from 'gemoji';
import { emojiAliases } from './emoji-aliases.js';

interface Known {
  /** Maps each name of an emoji to the stored one. */
  readonly kept: ReadonlyMap<string, string>;
  /** Stored names of emoji with five skin tones: hands and single persons. */
  readonly toned: ReadonlySet<string>;
}

/** First of the 26 regional indicators that make flags, for the distance to their letter. */
const FIRST_INDICATOR = 0x1f1e6;
const TO_LETTER = FIRST_INDICATOR - 'a'.charCodeAt(0);

/** Characters that a skin tone can follow. */
const PERSONS = /\p{Emoji_Modifier_Base}/gu;

let names: Promise<Known> | null = null;

/** Loaded on first use: the lists are long, and many processes never need them. */
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
    // A bare country code means the flag only if it is not another name, such as `id` or `tv`.
    if (!kept.has(code)) kept.set(code, `flag_${code}`);
  }
  for (const letter of 'abcdefghijklmnopqrstuvwxyz')
    kept.set(`regional_indicator_${letter}`, `regional_indicator_${letter}`);
  return { kept, toned };
}

/** Returns the country code of a flag; null for other emoji. */
function countryOf(emoji: string): string | null {
  const letters = Array.from(emoji, (sign) => (sign.codePointAt(0) ?? 0) - TO_LETTER);
  const code = String.fromCodePoint(...letters.map((letter) => Math.max(letter, 0)));
  return /^[a-z]{2}$/.test(code) ? code : null;
}

/** Returns the name that v4 stores for an emoji; null if it is unknown. */
export async function emojiName(given: string): Promise<string | null> {
  const { kept, toned } = await known();
  const whole = kept.get(given);
  if (whole !== undefined) return whole;
  const [, base = '', tone = ''] = /^(.+)_tone([1-5])$/.exec(given) ?? [];
  const name = kept.get(base);
  return name !== undefined && toned.has(name) ? `${name}_tone${tone}` : null;
}
