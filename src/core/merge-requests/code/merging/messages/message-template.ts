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
 * Inserts variables; unknown ones stay as written. A line of only an empty variable is removed with the blank
 * line after it.
 */
export function fillTemplate(template: string, variables: MessageVariables): string {
  const lines: string[] = [];
  let skipsBlank = false;
  for (const line of template.replaceAll('\r\n', '\n').split('\n')) {
    const isBlank = line.trim() === '';
    if (isBlank && skipsBlank) {
      skipsBlank = false;
      continue;
    }
    const alone = /^%\{(\w+)\}$/.exec(line.trim())?.[1];
    skipsBlank = alone !== undefined && variables[alone] === '';
    if (!skipsBlank) lines.push(line.replace(VARIABLE, (whole, name: string) => variables[name] ?? whole));
  }
  return `${lines.join('\n').trim()}\n`;
}
