/** Clients know the names of votes as words. */
const VOTES: Readonly<Record<string, string>> = { '+1': 'thumbsup', '-1': 'thumbsdown' };

let names: Promise<ReadonlySet<string>> | null = null;

/** The list is long, and not every process ever needs it. */
const known = (): Promise<ReadonlySet<string>> =>
  (names ??= import('gemoji').then(({ gemoji }) => new Set(gemoji.flatMap((one) => one.names))));

/** The name by which an emoji is kept; null where there is none of this name. */
export async function emojiName(given: string): Promise<string | null> {
  return (await known()).has(given) ? (VOTES[given] ?? given) : null;
}
