import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A frequent text is worth a prepared plan; a rare one, such as a batch with this number of rows, is not. */
const USES = 3;
/** Limit of the texts whose uses are counted: those used last. */
const COUNTED = 200;
/** Each of them keeps its plan in the memory of the database: some 70 bytes per character (measured). */
const MAX_CHARACTERS = 150_000;
const MAX_LENGTH = 20_000;

/** The name under which a text runs, and the names that are closed for it. */
export interface Naming {
  readonly name: string;
  readonly forgotten: readonly string[];
}

/**
 * The prepared statements of a connection: frequent ones, up to a limit. Names are derived from the text, so
 * that one name never means two statements even if a pooler shares the connections.
 */
export class PreparedTexts {
  private readonly uses = new LRUCache<string, number>({ max: COUNTED });
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

  /** Suffix for names given by others. */
  get suffix(): string {
    return this.generation === 0 ? '' : `_${this.generation}`;
  }

  /** The server's prepared statements differ from ours: all get other names from now on. */
  forget(): void {
    this.names.clear();
    this.characters = 0;
    this.generation += 1;
  }

  private count(text: string): number {
    const uses = (this.uses.get(text) ?? 0) + 1;
    this.uses.set(text, uses);
    return uses;
  }

  /** The least recently used ones are closed. */
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
