import { Composer, Lexer, LineCounter, Parser, type CST, type YAMLError } from 'yaml';
import { ConfigRefused } from '../problems.js';
import type { Budget } from './budget.js';
import { NodeReader } from './node-reader.js';
import type { Yaml } from './yaml-value.js';

/** Bytes of one file of a configuration. */
const MAX_BYTES = 1024 * 1024;
/** Words and signs of one file: each costs far more memory than it has characters. */
const MAX_LEXEMES = 400_000;
/** Hashes and lists within each other, with what the parser keeps besides. */
const MAX_DEPTH = 120;

/**
 * Reads a YAML text, as YAML 1.1 (`yes` is a boolean, `0755` octal), which files of this kind are written in. Of two keys of one name the
 * later counts. @throws ConfigRefused
 */
export function readYaml(text: string, budget: Budget): Yaml {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new ConfigRefused('The parsed YAML is too big');
  const lines = new LineCounter();
  const composer = new Composer({
    version: '1.1',
    // Comparing all keys of a hash with each other takes hours for large ones.
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: (tags) => [...tags, { tag: '!reference', collection: 'seq' }],
  });
  const documents = [...composer.compose(tokensOf(text, lines), true, text.length)];
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error) throw new ConfigRefused(syntaxError(error, lines));
  if (documents.length > 1) throw new ConfigRefused('(<unknown>): only one document is offered');
  return new NodeReader(budget).read(documents[0]?.contents);
}

/** Composing follows depth by recursion, and a process that runs out of stack there may be lost: what is too deep gets no further than here. */
function tokensOf(text: string, lines: LineCounter): readonly CST.Token[] {
  const parser = new Parser(lines.addNewLine);
  lines.addNewLine(0);
  const tokens: CST.Token[] = [];
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    lexemes += 1;
    if (lexemes > MAX_LEXEMES) throw new ConfigRefused('The parsed YAML is too big');
    if (parser.stack.length > MAX_DEPTH) throw new ConfigRefused('The parsed YAML is too deeply nested');
  }
  for (const token of parser.end()) tokens.push(token);
  return tokens;
}

function syntaxError({ message, pos }: YAMLError, lines: LineCounter): string {
  const { line, col } = lines.linePos(pos[0]);
  return `(<unknown>): ${message.slice(0, 300)} at line ${line} column ${col}`;
}
