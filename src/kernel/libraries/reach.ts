import { createRequire } from 'node:module';

/** A reach into the inside of a library: what it is worth, what is broken once the inside has changed, and how that is seen. */
export interface Reach {
  readonly library: string;
  /** One sentence for whoever has upgraded the library: what it no longer has, and what is slower or missing until that is mended. */
  readonly broken: string;
  /** Whether the inside still is as it is expected; what it throws means no. */
  readonly looksRight: () => boolean;
}

/** Looked at once, when the process starts; without it the public way is taken. */
export class ReachSwitch {
  private isOn: boolean | undefined;

  constructor(readonly reach: Reach) {
    all.push(this);
  }

  /** Whether the inside of the library may be used. */
  get available(): boolean {
    return (this.isOn ??= this.look());
  }

  /** From here on the public way is taken; until the function that is returned is called. */
  giveUp(): () => void {
    const before = this.available;
    this.isOn = false;
    return () => (this.isOn = before);
  }

  private look(): boolean {
    try {
      if (this.reach.looksRight()) return true;
    } catch {
      // As good as a no.
    }
    process.emitWarning(this.reach.broken, { code: 'FORGEPLANE_REACH' });
    return false;
  }
}

const all: ReachSwitch[] = [];

/** Every reach of the modules that are loaded. */
export const allReaches = (): readonly ReachSwitch[] => all;

/** A reach into the inside of a library. */
export const reach = (what: Reach): ReachSwitch => new ReachSwitch(what);

const load = createRequire(import.meta.url);

/** A file inside of a library that its documentation does not know; undefined where it is not there. */
export function insideFile(path: string): unknown {
  try {
    return load(path);
  } catch {
    return undefined;
  }
}

/** Whether an object has functions of these names. */
export const hasFunctions = (thing: unknown, ...names: readonly string[]): boolean =>
  names.every((name) => typeof (thing as Record<string, unknown>)[name] === 'function');

/** Whether an object has properties of these names, whatever they hold. */
export const hasProperties = (thing: object, ...names: readonly string[]): boolean =>
  names.every((name) => name in thing);
