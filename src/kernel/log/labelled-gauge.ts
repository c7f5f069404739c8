import { Gauge } from 'prom-client';
import { metrics } from './metrics.js';

/** Values of a gauge by label value. */
export type LabelledFigures = ReadonlyMap<string, number>;

/**
 * Registers a gauge with one label that is evaluated whenever metrics are read, replacing any of the same
 * name. All processes read the same values: of several the largest is shown, or the smallest if that is the
 * bad one. If the evaluation fails, no values are shown.
 */
export function registerLabelledGauge(
  name: string,
  help: string,
  label: string,
  read: () => Promise<LabelledFigures>,
  together: 'max' | 'min' = 'max',
): void {
  metrics.removeSingleMetric(name);
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [metrics],
    aggregator: together,
    async collect() {
      const figures = await read().catch((): LabelledFigures => new Map());
      this.reset();
      for (const [value, figure] of figures) this.set({ [label]: value }, figure);
    },
  });
}
