import { setImmediate } from 'node:timers/promises';
import { isGlob, readGlob } from '../expressions/glob.js';

/** Limit of comparisons of a path with a glob per configuration; above it everything matches. */
const MAX_COMPARISONS = 1_000_000;
/** Comparisons between two yields to the event loop. */
const STRETCH = 20_000;

/** Matches paths with globs; compares each list of paths with each glob once. */
export class PathMatching {
  private left = MAX_COMPARISONS;
  private readonly known = new Map<readonly string[], Map<string, boolean>>();
  private readonly sets = new Map<readonly string[], ReadonlySet<string>>();

  /** Returns whether any glob matches any path. */
  async any(paths: readonly string[], globs: readonly string[]): Promise<boolean> {
    for (const glob of globs) if (await this.one(paths, glob.replace(/^\.?\/+/, ''))) return true;
    return false;
  }

  private async one(paths: readonly string[], glob: string): Promise<boolean> {
    const known = this.known.get(paths) ?? new Map<string, boolean>();
    this.known.set(paths, known);
    const found = known.get(glob) ?? (isGlob(glob) ? await this.search(paths, glob) : this.has(paths, glob));
    known.set(glob, found);
    return found;
  }

  private has(paths: readonly string[], path: string): boolean {
    const set = this.sets.get(paths) ?? new Set(paths);
    this.sets.set(paths, set);
    return set.has(path);
  }

  private async search(paths: readonly string[], glob: string): Promise<boolean> {
    this.left -= paths.length;
    if (this.left < 0) return true;
    const pattern = readGlob(glob);
    if (!pattern) return false;
    for (let start = 0; start < paths.length; start += STRETCH) {
      if (start > 0) await setImmediate();
      if (paths.slice(start, start + STRETCH).some((path) => pattern.matches(path))) return true;
    }
    return false;
  }
}
