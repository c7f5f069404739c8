import { escapeHtml } from './escape-html.js';

/** Markup that is safe to send; only the template `html` creates it. */
export class Html {
  private readonly text: string;

  private constructor(text: string) {
    this.text = text;
  }

  /** Joins the constant parts of a template, which are markup, with its values, which are not. */
  static of(parts: TemplateStringsArray, values: readonly Interpolation[]): Html {
    let text = parts[0] ?? '';
    values.forEach((value, index) => (text += written(value) + (parts[index + 1] ?? '')));
    return new Html(text);
  }

  toString(): string {
    return this.text;
  }
}

/** Values allowed in a template; `null`, `undefined` and `false` are left out. */
export type Interpolation = Html | string | number | null | undefined | false | readonly Interpolation[];

function written(value: Interpolation): string {
  if (value === null || value === undefined || value === false) return '';
  if (typeof value === 'string') return escapeHtml(value);
  if (typeof value === 'number' || value instanceof Html) return String(value);
  return value.map(written).join('');
}

/**
 * Creates markup. Every interpolated text is escaped, for both content and quoted attributes; there is no way
 * to insert raw text.
 */
export const html = (parts: TemplateStringsArray, ...values: readonly Interpolation[]): Html =>
  Html.of(parts, values);
