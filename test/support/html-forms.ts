const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
};

const decode = (text: string): string =>
  text.replace(/&(amp|lt|gt|quot|#39|#x27);/g, (_all, name: string) => ENTITIES[name] ?? '');

const attribute = (tag: string, name: string): string | null => {
  const match = new RegExp(`\\s${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(tag);
  return match ? decode(match[1] ?? match[2] ?? '') : null;
};

/** A form of a page with the values that it would send untouched. */
export interface PageForm {
  readonly action: string;
  readonly method: string;
  readonly values: [name: string, value: string][];
}

/** The form of a page that has `button` as a text. */
export function formOf(html: string, button: string): PageForm {
  const text = [...html.matchAll(/<form\b[^>]*>[\s\S]*?<\/form>/gi)]
    .map(([form]) => form)
    .find((form) => form.includes(button));
  if (text === undefined) throw new Error(`No form with ${button}: ${html.slice(0, 2000)}`);
  const open = /<form\b[^>]*>/i.exec(text)?.[0] ?? '';
  const values: [string, string][] = [];
  for (const [tag] of text.matchAll(/<input\b[^>]*>/gi)) {
    const name = attribute(tag, 'name');
    const type = attribute(tag, 'type') ?? 'text';
    if (name === null || type === 'submit') continue;
    if ((type === 'checkbox' || type === 'radio') && !/\schecked\b/i.test(tag)) continue;
    values.push([name, attribute(tag, 'value') ?? (type === 'checkbox' ? 'on' : '')]);
  }
  for (const [, tag = '', content = ''] of text.matchAll(/(<textarea\b[^>]*>)([\s\S]*?)<\/textarea>/gi)) {
    const name = attribute(tag, 'name');
    if (name !== null) values.push([name, decode(content)]);
  }
  return { action: attribute(open, 'action') ?? '', method: attribute(open, 'method') ?? 'get', values };
}
