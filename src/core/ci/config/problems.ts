/** Errors of one configuration that are told: beyond these nobody reads. */
const MAX_PROBLEMS = 100;

/** A configuration that is not looked at any further. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';
}

/** What is wrong with a configuration, all at once. */
export class Problems {
  private readonly found = new Set<string>();

  add(text: string): void {
    if (this.found.size < MAX_PROBLEMS) this.found.add(text.slice(0, 1_000));
  }

  get any(): boolean {
    return this.found.size > 0;
  }

  get list(): readonly string[] {
    return [...this.found];
  }
}

/** A place in a configuration (`jobs:build:artifacts`), where problems are reported. */
export class Spot {
  constructor(
    readonly at: string,
    readonly problems: Problems,
  ) {}

  in(key: string): Spot {
    return new Spot(this.at === '' ? key : `${this.at}:${key}`, this.problems);
  }

  /** `text` begins with what it is about: `config should be a hash`. */
  fail(text: string): null {
    this.problems.add(this.at === '' ? text : `${this.at} ${text}`);
    return null;
  }
}
