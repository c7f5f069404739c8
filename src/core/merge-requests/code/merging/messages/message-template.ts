/** Variables of a template. */
export type MessageVariables = Readonly<Record<string, string>>;

/** Default template of merge commits. */
export const MERGE_TEMPLATE = `Merge branch '%{source_branch}' into '%{target_branch}'

%{title}

%{issues}

See merge request %{reference}`;

/** Default template of squashed commits. */
export const SQUASH_TEMPLATE = '%{title}';

const VARIABLE = /%\{(\w+)\}/g;

/**
 * Limit of characters inserted in total. A short template can repeat the messages of a hundred commits 35
 * times, which would need more memory than the process has.
 */
const MAX_INSERTED = 1_000_000;

/**
 * Inserts variables, up to the limit; unknown ones stay as written. A line of only an empty variable is
 * removed with the blank line after it.
 */
export function fillTemplate(template: string, variables: MessageVariables): string {
  const lines: string[] = [];
  let left = MAX_INSERTED;
  const insert = (whole: string, name: string): string => {
    const value = Object.hasOwn(variables, name) ? variables[name]?.slice(0, left) : undefined;
    left -= value?.length ?? 0;
    return value ?? whole;
  };
  let skipsBlank = false;
  for (const line of template.replaceAll('\r\n', '\n').split('\n')) {
    const isBlank = line.trim() === '';
    if (isBlank && skipsBlank) {
      skipsBlank = false;
      continue;
    }
    const alone = /^%\{(\w+)\}$/.exec(line.trim())?.[1];
    skipsBlank = alone !== undefined && variables[alone] === '';
    if (!skipsBlank) lines.push(line.replace(VARIABLE, insert));
  }
  return `${lines.join('\n').trim()}\n`;
}
