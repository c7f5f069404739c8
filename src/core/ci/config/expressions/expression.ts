import type { Token } from './expression-tokens.js';
import { readTokens } from './expression-tokens.js';
import { readPattern } from './pattern.js';

/** One side of a comparison. */
export type Operand = Extract<Token, { readonly text: string }> | { readonly kind: 'null' };

/** An expression of a rule: `$A == "b" && ($C =~ /d/ || $E)`. */
export type Expression =
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | {
      readonly kind: 'compare';
      readonly sign: '==' | '!=' | '=~' | '!~';
      readonly left: Operand;
      readonly right: Operand;
    }
  | { readonly kind: 'value'; readonly value: Operand };

/** Limit of nested parentheses. */
const MAX_DEPTH = 50;

/** Parses an expression; null if it is invalid. `&&` binds tighter than `||`. */
export function parseExpression(text: string): Expression | null {
  const tokens = readTokens(text);
  return tokens && new Parser(tokens).parse();
}

class Parser {
  private at = 0;
  private depth = 0;

  constructor(private readonly tokens: readonly Token[]) {}

  parse(): Expression | null {
    const whole = this.either();
    return this.at === this.tokens.length ? whole : null;
  }

  private either(): Expression | null {
    let left = this.both();
    while (left && this.take('||')) {
      const right = this.both();
      left = right && { kind: 'or', left, right };
    }
    return left;
  }

  private both(): Expression | null {
    let left = this.single();
    while (left && this.take('&&')) {
      const right = this.single();
      left = right && { kind: 'and', left, right };
    }
    return left;
  }

  private single(): Expression | null {
    if (!this.take('(')) return this.comparison();
    this.depth += 1;
    const inner = this.depth > MAX_DEPTH ? null : this.either();
    this.depth -= 1;
    return inner && this.take(')') ? inner : null;
  }

  private comparison(): Expression | null {
    const left = this.operand();
    if (!left) return null;
    const sign = this.tokens[this.at]?.kind;
    if (sign !== '==' && sign !== '!=' && sign !== '=~' && sign !== '!~')
      return left.kind === 'pattern' ? null : { kind: 'value', value: left };
    this.at += 1;
    const right = this.operand();
    if (!right || left.kind === 'pattern') return null;
    const isMatch = sign === '=~' || sign === '!~';
    // The right side of a match may be a variable or text with a regular expression.
    if (isMatch ? right.kind === 'null' : right.kind === 'pattern') return null;
    return { kind: 'compare', sign, left, right };
  }

  private operand(): Operand | null {
    const token = this.tokens[this.at];
    if (!token) return null;
    if (token.kind === 'pattern' && readPattern(token.text) === null) return null;
    if (token.kind !== 'null' && !('text' in token)) return null;
    this.at += 1;
    return 'text' in token ? token : { kind: 'null' };
  }

  private take(kind: Token['kind']): boolean {
    if (this.tokens[this.at]?.kind !== kind) return false;
    this.at += 1;
    return true;
  }
}
