import type { Config } from '#kernel/config/config.js';
import { StartProblem } from '#kernel/config/start-problem.js';
import { within } from '#kernel/time/within.js';
import { useTracer } from './span.js';

/** A collector that does not respond must not delay the end of the process. */
const CLOSE_MS = 3_000;

/**
 * Enables tracing in this process if OTEL_EXPORTER_OTLP_ENDPOINT is set; otherwise nothing of OpenTelemetry
 * is loaded. Returns a function that sends the last spans.
 * @throws StartProblem if the packages are not installed
 */
export async function startTracing(config: Config): Promise<() => Promise<void>> {
  if (config.OTEL_EXPORTER_OTLP_ENDPOINT === undefined) return () => Promise.resolve();
  const { OtlpTracer } = await import('./otlp-tracer.js').catch((error: unknown) => {
    throw new StartProblem(
      'OTEL_EXPORTER_OTLP_ENDPOINT is set, but this build has no OpenTelemetry: build it with the development packages installed, or unset the variable.',
      { cause: error },
    );
  });
  const tracer = new OtlpTracer(config.OTEL_EXPORTER_OTLP_ENDPOINT, config.PROCESS);
  useTracer(tracer);
  return async () => {
    useTracer(null);
    await within(CLOSE_MS, tracer.close(), () => undefined);
  };
}
