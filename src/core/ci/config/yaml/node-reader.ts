import {
  isAlias,
  isMap as isMapNode,
  isScalar as isScalarNode,
  isSeq,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { ConfigRefused } from '../problems.js';
import type { Budget } from './budget.js';
import { isList, isMap, Reference, type Yaml } from './yaml-value.js';

const MAX_DEPTH = 100;

/** A value with its depth. */
interface Measured {
  readonly value: Yaml;
  readonly height: number;
}

/** Converts the nodes of a YAML document to values. Aliases share their value instead of copying it. */
export class NodeReader {
  private readonly anchors = new Map<string, Measured>();

  constructor(private readonly budget: Budget) {}

  /** Converts a node. @throws ConfigRefused */
  read(node: unknown): Yaml {
    return this.measured(node, 0).value;
  }

  private measured(node: unknown, depth: number): Measured {
    if (depth > MAX_DEPTH) throw new ConfigRefused('The parsed YAML is too deeply nested');
    if (isAlias(node)) return this.alias(node.source, depth);
    const found = this.content(node, depth);
    const anchor = isMapNode(node) || isSeq(node) || isScalarNode(node) ? node.anchor : undefined;
    if (anchor !== undefined) this.anchors.set(anchor, found);
    return found;
  }

  private alias(name: string, depth: number): Measured {
    const found = this.anchors.get(name);
    if (!found) throw new ConfigRefused(`(<unknown>): Unknown alias: ${name}`);
    if (depth + found.height > MAX_DEPTH) throw new ConfigRefused('The parsed YAML is too deeply nested');
    return found;
  }

  private content(node: unknown, depth: number): Measured {
    if (isMapNode(node)) return this.map(node, depth);
    if (isSeq(node)) return this.list(node, depth);
    const value = isScalarNode(node) ? scalarValue(node) : null;
    if (typeof value === 'string' && !isStorable(value))
      throw new ConfigRefused('(<unknown>): control characters are not allowed');
    this.budget.spend(1);
    return { value, height: 0 };
  }

  private list(node: YAMLSeq, depth: number): Measured {
    this.budget.spend(1);
    const parts = node.items.map((item) => this.measured(item, depth + 1));
    const values = parts.map((part) => part.value);
    const isReference = node.tag === '!reference';
    if (isReference && !values.every((part) => typeof part === 'string'))
      throw new ConfigRefused('(<unknown>): !reference should be an array of strings');
    return { value: isReference ? new Reference(values as string[]) : values, height: heightOf(parts) };
  }

  private map(node: YAMLMap, depth: number): Measured {
    this.budget.spend(1);
    const own = new Map<string, Yaml>();
    const merged = new Map<string, Yaml>();
    const parts = node.items.map((pair: Pair) => {
      const part = this.measured(pair.value, depth + 1);
      if (isMergeKey(pair.key)) this.mergeInto(merged, part.value);
      else own.set(this.key(pair.key, depth), part.value);
      return part;
    });
    const value = merged.size === 0 ? own : new Map([...merged, ...own]);
    return { value, height: heightOf(parts) };
  }

  /**
   * Own keys override merged ones; the first of several merged hashes wins. Each hash costs its size, also if
   * it brings nothing new.
   */
  private mergeInto(merged: Map<string, Yaml>, value: Yaml): void {
    const maps = isList(value) ? value : [value];
    for (const map of maps) {
      if (!isMap(map)) throw new ConfigRefused('(<unknown>): Map keys can be merged with maps only');
      this.budget.spend(map.size);
      for (const [key, one] of map) if (!merged.has(key)) merged.set(key, one);
    }
  }

  private key(node: unknown, depth: number): string {
    const { value } = this.measured(node, depth + 1);
    if (typeof value === 'object' && value !== null)
      throw new ConfigRefused('(<unknown>): keys should be strings');
    return isScalarNode(node) && node.source !== undefined && typeof value !== 'string'
      ? node.source
      : String(value ?? '');
  }
}

const isMergeKey = (key: unknown): boolean =>
  isScalarNode(key) && key.source === '<<' && (key.type === undefined || key.type === 'PLAIN');

const heightOf = (parts: readonly Measured[]): number =>
  parts.reduce((most, part) => Math.max(most, part.height + 1), 0);

/** PostgreSQL stores neither NUL nor lone surrogates. */
const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** Numbers that would not print as they were written (`3.10`, `1e3`) stay texts, as do dates. */
function scalarValue({ value, source = '' }: Scalar): Yaml {
  switch (typeof value) {
    case 'string':
      return value;
    case 'boolean':
      return /^[yn]$/i.test(source) ? source : value;
    case 'number':
      return Number.isSafeInteger(value) && !/[.e]|^[-+]?0[0-9]*[89]/i.test(source) ? value : source;
    default:
      return value === null || value === undefined ? null : source;
  }
}
