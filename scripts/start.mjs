// npm start: a small process that keeps the product running and forwards signals to it. The product is a
// child that builds if a source changed and then becomes the service; with SUPERVISE=false there is only the
// child (for process managers, which restart it themselves). With more cores, or if API_PROCESSES says so,
// this process is the primary of several (src/primary.ts).
import { spawn } from 'node:child_process';
import module from 'node:module';
import { readFileSync } from 'node:fs';
import { availableParallelism, constants } from 'node:os';
import { performance } from 'node:perf_hooks';
import { clearInterval, setInterval } from 'node:timers';
import { fileURLToPath } from 'node:url';

const SUPERVISED = 'supervised';
const CLUSTERED = 'clustered';
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** Limit of restarts within a period; if it exits more often, restarting does not help. */
const RESTARTS = 3;
const WITHIN_MS = 60_000;
const PAUSE_MS = 500;
const KEEP_COMPILED_MS = 10_000;
/** Interval of the calls to which the service has to respond, and number of them in a row after which it hangs. */
const CALL_MS = 10_000;
const MOST_CALLS = 6;
/** Exit codes of a deliberate end: on request, or because it cannot start (its last lines say why). */
const DELIBERATE = [0, 1];

const isUnsupervised = ['false', '0', 'no'].includes(variable('SUPERVISE'));
const processes = requestProcesses();

if (process.argv[2] === SUPERVISED) {
  // The parent is gone, so nobody would stop or restart the service: it shuts down in order, as on request.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  process.on('message', () => process.send?.('here', () => undefined));
  process.channel?.unref();
  await becomeProduct();
} else if (process.argv[2] === CLUSTERED) {
  keepCompiled();
  await import('../dist/app/main.js');
} else if (processes > 1) await becomePrimary();
else if (isUnsupervised) await becomeProduct();
else supervise();

async function becomeProduct() {
  await build();
  keepCompiled();
  await import('../dist/app/main.js');
}

async function becomePrimary() {
  // Until the processes can be replaced, SIGHUP is only remembered. Closing a terminal ends what was started
  // in it.
  let wasHungUp = false;
  if (!process.stdin.isTTY) process.on('SIGHUP', () => (wasHungUp = true));
  await build();
  const { runPrimary } = await import('../dist/app/primary.js');
  await runPrimary({
    api: processes,
    exec: fileURLToPath(import.meta.url),
    args: [CLUSTERED],
    // With several processes the heaps start smaller: each takes some 105 MB of its own instead of 120 to
    // 160.
    execArgv: [...process.execArgv, '--max-semi-space-size=4', '--initial-old-space-size=48'],
    prepare: async () => (await import('./build.mjs')).buildIfStale(),
    wasHungUp: () => wasHungUp,
  });
}

async function build() {
  const { buildIfStale } = await import('./build.mjs');
  try {
    await buildIfStale();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

/** Number of API processes; the configuration rejects anything but a number. */
function requestProcesses() {
  const kind = variable('PROCESS') || 'all';
  if (kind === 'worker') return 1;
  const given = variable('API_PROCESSES');
  if (given) return Number(given);
  return kind === 'all' && !isUnsupervised ? Math.min(8, availableParallelism() - 1) : 1;
}

/** The value of a variable, which may be that of a file; the configuration reports files that cannot be read. */
function variable(name) {
  const file = process.env[`${name}_FILE`];
  return file ? readIfThere(file) : process.env[name];
}

function readIfThere(file) {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return '';
  }
}

/**
 * Lets later starts reuse the code compiled by this one (Node 22.10 and later). Not in the temporary folder,
 * which others can write to.
 */
function keepCompiled() {
  if (!module.flushCompileCache) return;
  module.enableCompileCache(fileURLToPath(new URL('../dist/compile-cache', import.meta.url)));
  setTimeout(() => module.flushCompileCache(), KEEP_COMPILED_MS).unref();
}

function supervise() {
  let child;
  let isStopping = false;
  const restarts = [];

  const start = () => {
    if (isStopping) process.exit(0);
    child = spawn(process.execPath, [...process.execArgv, fileURLToPath(import.meta.url), SUPERVISED], {
      stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    });
    child.once('error', (error) => {
      console.error(`The service cannot be started: ${error.message}`);
      process.exit(1);
    });
    child.once('exit', ended);
    watch(child);
  };
  // Calls are counted instead of time, because both may have been suspended together.
  const watch = (watched) => {
    let calls = 0;
    watched.on('message', () => (calls = 0));
    const timer = setInterval(() => {
      if (calls >= MOST_CALLS) {
        console.error(`The service has not responded for ${(MOST_CALLS * CALL_MS) / 1_000} s: it is killed.`);
        watched.kill('SIGKILL');
      } else if (watched.connected) {
        calls += 1;
        watched.send('call', () => undefined);
      }
    }, CALL_MS);
    watched.once('exit', () => clearInterval(timer));
  };
  const ended = (code, signal) => {
    child = undefined;
    const now = performance.now();
    while (restarts[0] <= now - WITHIN_MS) restarts.shift();
    if (!isStopping && !DELIBERATE.includes(code) && !SIGNALS.includes(signal)) {
      const how = `The service ended unexpectedly (${signal ?? `exit code ${code}`})`;
      if (restarts.length < RESTARTS) {
        restarts.push(now);
        console.error(`${how}: restarting it (${restarts.length} of at most ${RESTARTS} restarts a minute).`);
        setTimeout(start, PAUSE_MS);
        return;
      }
      console.error(
        `${how}, for the ${RESTARTS + 1}th time within a minute: giving up. The lines above say why.`,
      );
    }
    process.exit(code ?? 128 + constants.signals[signal]);
  };

  // A terminal sends a signal to both processes; receiving it twice does no harm.
  for (const signal of SIGNALS)
    process.on(signal, () => {
      isStopping = true;
      if (child) child.kill(signal);
      else process.exit(0);
    });
  // A closed output is not a reason to exit.
  process.stderr.on('error', () => undefined);
  start();
}
