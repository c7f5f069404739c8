// npm start: a small process that keeps the product running and hands signals on to it. The product is a child that builds when a source changed
// and then becomes the service; with SUPERVISE=false there is only that (for process managers, which start again themselves).
import { spawn } from 'node:child_process';
import module from 'node:module';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const SUPERVISED = 'supervised';
const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'];
/** So many times within so long is it started again; what ends more often does not heal by that. */
const RESTARTS = 3;
const WITHIN_MS = 60_000;
const PAUSE_MS = 500;
const KEEP_COMPILED_MS = 10_000;
/** How the service ends by its own decision: asked to, or because it cannot start (which is told in its last lines). */
const DELIBERATE = [0, 1];

if (process.argv[2] === SUPERVISED) {
  // Whoever started us is gone and nobody would stop or restart the service: it stops in order, as if it were asked to.
  process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
  await becomeProduct();
} else if (['false', '0', 'no'].includes(process.env.SUPERVISE)) await becomeProduct();
else supervise();

async function becomeProduct() {
  const { buildIfStale } = await import('./build.mjs');
  try {
    await buildIfStale();
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
  keepCompiled();
  await import('../dist/app/main.js');
}

/** Later starts need not compile again what this one has (Node 22.10 and later). Not in the folder for temporary files, which others write to as well. */
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
  };
  const ended = (code, signal) => {
    child = undefined;
    const now = Date.now();
    while (restarts[0] <= now - WITHIN_MS) restarts.shift();
    if (!isStopping && !DELIBERATE.includes(code) && !SIGNALS.includes(signal)) {
      const how = `The service ended unexpectedly (${signal ?? `exit code ${code}`})`;
      if (restarts.length < RESTARTS) {
        restarts.push(now);
        console.error(`${how}: starting it again, ${restarts.length} of at most ${RESTARTS} times a minute.`);
        setTimeout(start, PAUSE_MS);
        return;
      }
      console.error(
        `${how}, the ${RESTARTS + 1}th time within a minute: giving up. The lines above say why.`,
      );
    }
    process.exit(code ?? 128 + constants.signals[signal]);
  };

  // A terminal sends a signal to both of us; that it comes twice then does no harm.
  for (const signal of SIGNALS)
    process.on(signal, () => {
      isStopping = true;
      if (child) child.kill(signal);
      else process.exit(0);
    });
  // Where nobody reads what we say, that is no reason to end.
  process.stderr.on('error', () => undefined);
  start();
}
