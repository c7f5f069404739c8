import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { Counter, Gauge, type Registry } from 'prom-client';

/** A pause of the event loop from this length on is counted. */
const BLOCKED_MS = 1_000;
const BUSY_LOOK_MS = 500;
const IDLE_LOOK_MS = 1_000;
/** Number of checks without work after which the process counts as idle. */
const LOOKS_WITHOUT_WORK = 10;
/**
 * Maximum share of a core that an idle process uses, monitors included. Its wall time would say little on a
 * machine kept busy by others.
 */
const IDLE_SHARE = 0.05;

/**
 * Since the last check. The two monitors wake the process a hundred and fifty times a second, so they are
 * paused while it is idle.
 */
const delay = monitorEventLoopDelay({ resolution: 20 });
/** Since metrics were last read, or since it was paused. */
const lag = monitorEventLoopDelay({ resolution: 10 });

const STATISTICS: Readonly<Record<string, { readonly help: string; readonly read: () => number }>> = {
  min: { help: 'The minimum recorded event loop delay.', read: () => lag.min },
  max: { help: 'The maximum recorded event loop delay.', read: () => lag.max },
  mean: { help: 'The mean of the recorded event loop delays.', read: () => lag.mean },
  stddev: { help: 'The standard deviation of the recorded event loop delays.', read: () => lag.stddev },
  p50: { help: 'The 50th percentile of the recorded event loop delays.', read: () => lag.percentile(50) },
  p90: { help: 'The 90th percentile of the recorded event loop delays.', read: () => lag.percentile(90) },
  p99: { help: 'The 99th percentile of the recorded event loop delays.', read: () => lag.percentile(99) },
};

/** The maxima measured between two pauses since metrics were last read, in nanoseconds. */
let worst: ReadonlyMap<string, number> = new Map();
let blocked: Counter | undefined;
let timer: NodeJS.Timeout | undefined;
let isBusy = false;
let looksWithoutWork = 0;
let used = performance.eventLoopUtilization();
let cpu = { usage: process.cpuUsage(), at: performance.now() };

/** Reports that there is work from now on: event loop delays are measured precisely. */
export function noteWork(): void {
  looksWithoutWork = 0;
  if (blocked && !isBusy) watch(true);
}

/**
 * Adds the counter of long pauses, and event loop metrics that replace those of prom-client, whose monitor
 * never pauses.
 */
export function watchEventLoop(registry: Registry): void {
  blocked = new Counter({
    name: 'event_loop_blocked_total',
    help: 'Times that the event loop was held for a second or longer',
    registers: [registry],
  });
  const statistics = Object.entries(STATISTICS).map(
    ([name, { help }]) => [name, replace(registry, `nodejs_eventloop_lag_${name}_seconds`, help)] as const,
  );
  const now = replace(registry, 'nodejs_eventloop_lag_seconds', 'Lag of event loop in seconds.', () => {
    const start = performance.now();
    setImmediate(() => now.set((performance.now() - start) / 1_000));
    takeLag();
    for (const [name, statistic] of statistics) statistic.set((worst.get(name) ?? 0) / 1e9);
    worst = new Map();
  });
  watch(true);
}

function watch(busy: boolean): void {
  isBusy = busy;
  clearInterval(timer);
  timer = setInterval(look, busy ? BUSY_LOOK_MS : IDLE_LOOK_MS).unref();
  used = performance.eventLoopUtilization();
  if (!busy) {
    delay.disable();
    lag.disable();
    return;
  }
  // A monitor that is resumed counts its pause as a delay unless it is reset.
  takeLag();
  delay.reset();
  delay.enable();
  lag.enable();
}

function look(): void {
  const since = performance.eventLoopUtilization(used);
  used = performance.eventLoopUtilization();
  // Without monitors: work that took longer than the check interval has delayed the second check.
  const heldMs = isBusy ? delay.max / 1e6 : since.active;
  delay.reset();
  if (heldMs >= BLOCKED_MS) blocked?.inc();
  looksWithoutWork = cpuShare() > IDLE_SHARE ? 0 : looksWithoutWork + 1;
  const busy = looksWithoutWork < LOOKS_WITHOUT_WORK;
  if (busy !== isBusy) watch(busy);
}

/** Share of a core used since the last check. */
function cpuShare(): number {
  const { user, system } = process.cpuUsage(cpu.usage);
  const ms = performance.now() - cpu.at;
  cpu = { usage: process.cpuUsage(), at: performance.now() };
  return (user + system) / 1_000 / ms;
}

function takeLag(): void {
  if (lag.count > 0)
    worst = new Map(
      Object.entries(STATISTICS).map(([name, { read }]) => [name, Math.max(read(), worst.get(name) ?? 0)]),
    );
  lag.reset();
}

function replace(registry: Registry, name: string, help: string, collect?: () => void): Gauge {
  registry.removeSingleMetric(name);
  return new Gauge({ name, help, registers: [registry], ...(collect && { collect }) });
}
