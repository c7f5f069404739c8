import { HttpError } from '#kernel/http/errors.js';
import { protectedLines } from './protected-lines.js';

/** A quick action as written. */
export interface WrittenCommand {
  /** In lower case. */
  readonly name: string;
  /** The rest of its line, trimmed. */
  readonly argument: string;
}

/** A parsed text. */
export interface ParsedText {
  /** The text without lines of quick actions; unchanged if there are none. */
  readonly text: string;
  readonly commands: readonly WrittenCommand[];
}

/** Meaning of a line that starts with a slash and a word. */
export type CommandMeaning =
  /** A quick action, removed from the text. */
  | 'command'
  /** Ordinary text. */
  | null
  /** Text that replaces it, inserted after the argument. */
  | { readonly text: string };

/** Limit of quick actions in a text. */
const MAX_COMMANDS = 100;
/**
 * Limit of characters in which quick actions are searched; everything after the last complete line within
 * them is text.
 */
const MAX_READ = 100_000;

const NAME = /^\/([a-z][a-z_]{0,63})(?=[ \t]|$)/i;

/**
 * Extracts the quick actions of a Markdown text: lines that start with `/name`, outside of code, comments and
 * block quotes. Visits each character a bounded number of times for any text. @throws 422 for more than a
 * hundred
 */
export function parseCommands(text: string, meaningOf: (name: string) => CommandMeaning): ParsedText {
  const end = text.length > MAX_READ ? text.lastIndexOf('\n', MAX_READ) + 1 : text.length;
  const parsed = parseAll(text.slice(0, end), meaningOf);
  if (parsed.commands.length > MAX_COMMANDS)
    throw new HttpError(422, {
      message: `422 Unprocessable Entity - a text can have at most ${MAX_COMMANDS} commands`,
    });
  if (end === text.length) return parsed;
  const isAsItWas = parsed.text === text.slice(0, end);
  const head = isAsItWas || parsed.text === '' ? parsed.text : `${parsed.text}\n`;
  return { ...parsed, text: head + text.slice(end) };
}

function parseAll(text: string, meaningOf: (name: string) => CommandMeaning): ParsedText {
  if (!text.startsWith('/') && !text.includes('\n/')) return { text, commands: [] };
  const lines = text.split('\n');
  const isProtected = protectedLines(text, lines);
  const kept: string[] = [];
  const commands: WrittenCommand[] = [];
  let isChanged = false;
  for (const [at, line] of lines.entries()) {
    const found = isProtected[at] === true || !line.startsWith('/') ? null : commandOf(line);
    const meaning = found && meaningOf(found.name);
    if (!found || !meaning) {
      kept.push(line);
      continue;
    }
    isChanged = true;
    if (meaning === 'command') commands.push(found);
    else kept.push(`${found.argument} ${meaning.text}`.trimStart());
  }
  return { text: isChanged ? withoutBlankEnds(kept) : text, commands };
}

function commandOf(line: string): WrittenCommand | null {
  const whole = line.trimEnd();
  const name = NAME.exec(whole)?.[1];
  return name === undefined
    ? null
    : { name: name.toLowerCase(), argument: whole.slice(name.length + 1).trim() };
}

/** Removes the blank lines left by quick actions. */
function withoutBlankEnds(lines: readonly string[]): string {
  const isText = (line: string): boolean => line.trim() !== '';
  const first = lines.findIndex(isText);
  return first < 0
    ? ''
    : lines
        .slice(first, lines.findLastIndex(isText) + 1)
        .join('\n')
        .trimEnd();
}
