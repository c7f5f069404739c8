/** Limit of errors reported per configuration: users do not read more. */
const MAX_PROBLEMS = 100;

/** Thrown to stop compiling a configuration. */
export class ConfigRefused extends Error {
  override readonly name = 'ConfigRefused';
}

/** Collects the errors of a configuration. */
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

/** A path in a configuration (`jobs:build:artifacts`) at which errors are reported. */
export class Spot {
  constructor(
    readonly at: string,
    readonly problems: Problems,
  ) {}

  in(key: string): Spot {
    return new Spot(this.at === '' ? key : `${this.at}:${key}`, this.problems);
  }

  /** Reports an error; `text` starts with the rest of the subject: `config should be a hash`. */
  fail(text: string): null {
    this.problems.add(this.at === '' ? text : `${this.at} ${text}`);
    return null;
  }
}
