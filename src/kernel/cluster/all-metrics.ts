import { AggregatorRegistry } from 'prom-client';
import { metrics } from '#kernel/log/metrics.js';
import { primaryLink } from './primary-link.js';

/** Returns the metrics of the service on this machine in Prometheus format, summed over all its processes. */
export async function metricsText(): Promise<string> {
  if (!primaryLink) return metrics.metrics();
  return AggregatorRegistry.aggregate(await primaryLink.ask('figures', [])).metrics();
}
