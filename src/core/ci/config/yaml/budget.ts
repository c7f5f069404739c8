import { ConfigRefused } from '../problems.js';
import { isList, isMap, type Yaml } from './yaml-value.js';

/** Limit of values of a configuration after aliases, `extends` and references are resolved. */
const MAX_VALUES = 300_000;
/** Limit of characters of all these values. */
const MAX_CHARACTERS = 8 * 1024 * 1024;
const MAX_DEPTH = 200;

/** Bounds the size of a resolved configuration, which a short text can make very large. */
export class Budget {
  constructor(
    private values = MAX_VALUES,
    private characters = MAX_CHARACTERS,
    private readonly what = 'parsed YAML',
  ) {}

  /** Takes values and characters off the budget. @throws ConfigRefused if it is exceeded */
  spend(values: number, characters = 0): void {
    this.values -= values;
    this.characters -= characters;
    if (this.values < 0 || this.characters < 0) throw new ConfigRefused(`The ${this.what} is too big`);
  }

  /** Spends for a whole value; parts count once per occurrence. @throws ConfigRefused */
  spendAll(value: Yaml, depth = 0): void {
    if (depth > MAX_DEPTH) throw new ConfigRefused(`The ${this.what} is too deeply nested`);
    this.spend(1, typeof value === 'string' ? value.length : 0);
    if (isList(value)) for (const one of value) this.spendAll(one, depth + 1);
    if (isMap(value))
      for (const [key, one] of value) {
        this.spend(0, key.length);
        this.spendAll(one, depth + 1);
      }
  }
}
