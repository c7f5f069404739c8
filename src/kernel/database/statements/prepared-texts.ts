import { createHash } from 'node:crypto';

/** A text that comes again and again is worth a plan of its own; what comes once, such as a batch of this many rows, is not. */
const USES = 3;
/** Texts whose uses are counted: the ones that were used last. */
const COUNTED = 200;
/** Each of them holds its plan in the memory of the database: some 70 bytes for a character (measured). */
const MAX_CHARACTERS = 150_000;
const MAX_LENGTH = 20_000;

/** What is asked under which name, and the names that are given up for it. */
export interface Naming {
  readonly name: string;
  readonly forgotten: readonly string[];
}

/**
 * Which statements of a connection are prepared on it: those that it runs often, as many as may be at a time. Names follow from the text: where
 * something between us and the server shares its connections, one name never means two statements.
 */
export class PreparedTexts {
  private readonly uses = new Map<string, number>();
  private readonly names = new Map<string, string>();
  private characters = 0;
  private generation = 0;

  /** Null for a text that is not worth it. */
  nameOf(text: string): Naming | null {
    const known = this.names.get(text);
    if (known !== undefined) {
      this.names.delete(text);
      this.names.set(text, known);
      return { name: known, forgotten: NONE };
    }
    if (text.length > MAX_LENGTH || this.count(text) < USES) return null;
    this.uses.delete(text);
    const name = `w_${createHash('sha256').update(text).digest('base64url').slice(0, 20)}${this.suffix}`;
    this.names.set(text, name);
    this.characters += text.length;
    return { name, forgotten: this.makeRoom() };
  }

  /** What is to be appended to names that others give. */
  get suffix(): string {
    return this.generation === 0 ? '' : `_${this.generation}`;
  }

  /** The server knows a statement otherwise than we do: all get other names from now on. */
  forget(): void {
    this.names.clear();
    this.characters = 0;
    this.generation += 1;
  }

  private count(text: string): number {
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.delete(text);
    this.uses.set(text, uses);
    const [oldest] = this.uses.size > COUNTED ? this.uses.keys() : NONE;
    if (oldest !== undefined) this.uses.delete(oldest);
    return uses;
  }

  /** Those that were used longest ago go. */
  private makeRoom(): string[] {
    const forgotten: string[] = [];
    for (const [text, name] of this.names) {
      if (this.characters <= MAX_CHARACTERS) break;
      this.names.delete(text);
      this.characters -= text.length;
      forgotten.push(name);
    }
    return forgotten;
  }
}

const NONE: readonly string[] = [];
