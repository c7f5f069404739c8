/** What a template may name: its values. */
export type MessageVariables = Readonly<Record<string, string>>;

/** Message of merge commits unless the project has a template. */
export const MERGE_TEMPLATE = `Merge branch '%{source_branch}' into '%{target_branch}'

%{title}

%{issues}

See merge request %{reference}`;

/** Message of squashed commits unless the project has a template. */
export const SQUASH_TEMPLATE = '%{title}';

const VARIABLE = /%\{(\w+)\}/g;

/** Puts the values in; what is no variable stays as it is, and a line that consists of an empty one alone vanishes with the blank line after it. */
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
