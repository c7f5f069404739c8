import { parseDocument, type YAMLError } from 'yaml';
import { ConfigRefused } from '../problems.js';
import type { Budget } from './budget.js';
import { NodeReader } from './node-reader.js';
import type { Yaml } from './yaml-value.js';

/** Bytes of one file of a configuration. */
const MAX_BYTES = 1024 * 1024;

/**
 * Reads a YAML text, as YAML 1.1 (`yes` is a boolean, `0755` octal), which files of this kind are written in. Of two keys of one name the
 * later counts. @throws ConfigRefused
 */
export function readYaml(text: string, budget: Budget): Yaml {
  if (Buffer.byteLength(text) > MAX_BYTES) throw new ConfigRefused('The parsed YAML is too big');
  try {
    const document = parseDocument(text, {
      version: '1.1',
      // Comparing all keys of a hash with each other takes hours for large ones.
      uniqueKeys: false,
      logLevel: 'silent',
      customTags: (tags) => [...tags, { tag: '!reference', collection: 'seq' }],
    });
    const [error] = document.errors;
    if (error) throw new ConfigRefused(syntaxError(error));
    return new NodeReader(budget).read(document.contents);
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigRefused('The parsed YAML is too deeply nested');
    throw error;
  }
}

function syntaxError({ message, linePos }: YAMLError): string {
  const text = message.replace(/ at line \d+, column \d+:[^]*$/, '').slice(0, 300);
  const [start] = linePos ?? [];
  return `(<unknown>): ${text}${start ? ` at line ${start.line} column ${start.col}` : ''}`;
}
