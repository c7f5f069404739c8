import { Composer, Lexer, LineCounter, Parser, type CST, type YAMLError } from 'yaml';
import { ConfigRefused } from '../problems.js';
import type { Budget } from './budget.js';
import { NodeReader } from './node-reader.js';
import type { Yaml } from './yaml-value.js';

/** Limit of bytes of one file of a configuration. */
const MAX_BYTES = 1024 * 1024;
/** Limit of tokens of one file: a token takes far more memory than its characters. */
const MAX_LEXEMES = 400_000;
/** Limit of nested hashes and lists, including the nodes that the parser adds. */
const MAX_DEPTH = 120;

/**
 * Parses a YAML text as YAML 1.1 (`yes` is a boolean, `0755` is octal), in which such files are written. The
 * last of duplicate keys wins. @throws ConfigRefused
 */
export function readYaml(text: string, budget: Budget): Yaml {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new ConfigRefused('The parsed YAML is too big');
  const lines = new LineCounter();
  const composer = new Composer({
    version: '1.1',
    // The parser's check takes hours for large hashes, because it compares all keys with each other.
    uniqueKeys: false,
    logLevel: 'silent',
    customTags: (tags) => [...tags, { tag: '!reference', collection: 'seq' }],
  });
  const documents = [...composer.compose(tokensOf(text, lines), true, text.length)];
  const error = documents.flatMap(({ errors }) => errors)[0];
  if (error) throw new ConfigRefused(syntaxError(error, lines));
  if (documents.length > 1) throw new ConfigRefused('(<unknown>): only one document is supported');
  return new NodeReader(budget).read(documents[0]?.contents);
}

/**
 * Returns the tokens of a text, and rejects texts that are nested too deeply: the parser's composer recurses,
 * and a stack overflow there can crash the process.
 */
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
