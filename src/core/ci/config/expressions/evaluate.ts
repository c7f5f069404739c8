import { expandVariables, type VariableValues } from '../expand.js';
import type { Expression, Operand } from './expression.js';
import { readPattern } from './pattern.js';

/** Evaluates an expression. An unknown variable is null; only null and blank texts are false. */
export function evaluate(expression: Expression, values: VariableValues): boolean {
  switch (expression.kind) {
    case 'and':
      return evaluate(expression.left, values) && evaluate(expression.right, values);
    case 'or':
      return evaluate(expression.left, values) || evaluate(expression.right, values);
    case 'value':
      return (valueOf(expression.value, values) ?? '').trim() !== '';
    case 'compare':
      return compare(expression, values);
  }
}

function compare(
  { sign, left, right }: Extract<Expression, { kind: 'compare' }>,
  values: VariableValues,
): boolean {
  const text = valueOf(left, values);
  const other = valueOf(right, values);
  if (sign === '==' || sign === '!=') return (text === other) === (sign === '==');
  // A variable may contain a regular expression; any other text matches nothing.
  const pattern = readPattern(other ?? '');
  return (pattern?.matches(text ?? '') ?? false) === (sign === '=~');
}

function valueOf(operand: Operand, values: VariableValues): string | null {
  if (operand.kind === 'null') return null;
  if (operand.kind !== 'variable') return operand.text;
  const found = values.get(operand.text);
  if (!found) return null;
  return found.raw ? found.value : expandVariables(found.value, values);
}
