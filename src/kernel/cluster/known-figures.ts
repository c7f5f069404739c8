import { AggregatorRegistry } from 'prom-client';
import type { Figures } from './messages.js';

/** What happened stays counted; what a process holds ends with it. */
const LASTING = new Set(['counter', 'histogram']);

/** The last metrics of all processes, and what those that have ended counted: sums never decrease. */
export class KnownFigures {
  private readonly latest = new Map<number, Figures>();
  /** Sums over the processes that have ended. */
  private former: Promise<Figures> = Promise.resolve([]);

  /** Remembers the metrics of a process. */
  note(process: number, figures: Figures): void {
    this.latest.set(process, figures);
  }

  /** A process has ended. */
  end(process: number): void {
    const counted = (this.latest.get(process) ?? []).filter(({ type }) => LASTING.has(String(type)));
    this.latest.delete(process);
    this.former = this.former.then((former) =>
      AggregatorRegistry.aggregate([former, counted]).getMetricsAsJSON(),
    );
  }

  /** Returns everything known, to be summed up. */
  async all(): Promise<Figures[]> {
    // Both at the same moment, so that a process that ends now is counted once.
    const [latest, former] = [[...this.latest.values()], this.former];
    return [...latest, await former];
  }
}
