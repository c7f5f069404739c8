import { createRequire } from 'node:module';

/** A use of library internals: its benefit, what breaks if the internals change, and how that is detected. */
export interface Reach {
  readonly library: string;
  /**
   * One sentence for the developer who upgraded the library: what it lacks now, and what is slower or missing until
   * that is fixed.
   */
  readonly broken: string;
  /** Whether the internals are still as expected; an error means no. */
  readonly looksRight: () => boolean;
}

/** Checked once when the process starts; if it fails, the public way is used. */
export class ReachSwitch {
  private isOn: boolean | undefined;

  constructor(readonly reach: Reach) {
    all.push(this);
  }

  /** Whether the internals of the library may be used. */
  get available(): boolean {
    return (this.isOn ??= this.look());
  }

  /** Switches to the public way until the returned function is called. */
  giveUp(): () => void {
    const before = this.available;
    this.isOn = false;
    return () => (this.isOn = before);
  }

  private look(): boolean {
    try {
      if (this.reach.looksRight()) return true;
    } catch {
      // Counts as no.
    }
    process.emitWarning(this.reach.broken, { code: 'FORGEPLANE_REACH' });
    return false;
  }
}

const all: ReachSwitch[] = [];

/** Returns every use of internals of the loaded modules. */
export const allReaches = (): readonly ReachSwitch[] => all;

/** Declares a use of library internals. */
export const reach = (what: Reach): ReachSwitch => new ReachSwitch(what);

const load = createRequire(import.meta.url);

/** Loads an undocumented file of a library; undefined if it does not exist. */
export function insideFile(path: string): unknown {
  try {
    return load(path);
  } catch {
    return undefined;
  }
}

/** Whether an object has functions of these names. */
export const hasFunctions = (value: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (value as Record<string, unknown>)[name] === 'function');

/** Whether an object has properties of these names, with any values. */
export const hasProperties = (value: object, ...names: readonly string[]): boolean =>
  names.every((name) => name in value);
