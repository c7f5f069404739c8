/** Tokens of the expressions of rules. */
export type Token =
  | { readonly kind: 'variable' | 'string' | 'pattern'; readonly text: string }
  | { readonly kind: 'null' | '(' | ')' | '&&' | '||' | '==' | '!=' | '=~' | '!~' };

const MAX_LENGTH = 10_000;
const MAX_TOKENS = 500;

const TOKEN =
  /\s*(?:\$([A-Za-z_]\w*)|\$\{([A-Za-z_]\w*)\}|"([^"]*)"|'([^']*)'|(\/(?:\\[^]|[^/\\])+\/[ismU]*)|(null)\b|(&&|\|\||==|!=|=~|!~|[()]))/y;

/** Splits an expression into tokens; null if it is invalid or too long. */
export function readTokens(expression: string): readonly Token[] | null {
  const text = expression.trim();
  if (text.length > MAX_LENGTH) return null;
  const tokens: Token[] = [];
  const reader = new RegExp(TOKEN);
  while (reader.lastIndex < text.length) {
    const [, plain, braced, double, single, pattern, nothing, sign] = reader.exec(text) ?? [];
    const variable = plain ?? braced;
    const string = double ?? single;
    if (variable !== undefined) tokens.push({ kind: 'variable', text: variable });
    else if (string !== undefined) tokens.push({ kind: 'string', text: string });
    else if (pattern !== undefined) tokens.push({ kind: 'pattern', text: pattern });
    else if (nothing !== undefined) tokens.push({ kind: 'null' });
    else if (sign !== undefined) tokens.push({ kind: sign as '(' });
    else return null;
    if (tokens.length > MAX_TOKENS) return null;
  }
  return tokens;
}
