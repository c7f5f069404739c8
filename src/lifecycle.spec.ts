import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/** Exit code of a process with a Lifecycle whose stop never ends and is forced after 100 ms, and what it has logged. */
async function endAfter(what: string): Promise<{ code: unknown; log: string }> {
  const script = `
    import { Lifecycle } from ${JSON.stringify(pathToFileURL(resolve('dist/src/lifecycle.js')))};
    const lifecycle = new Lifecycle();
    lifecycle.listen();
    lifecycle.timeoutMs = 100;
    await lifecycle.onStop(() => new Promise(() => undefined));
    setInterval(() => undefined, 1_000);
    setTimeout(() => { ${what} });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let log = '';
  child.stdout.on('data', (data) => (log += String(data)));
  const [code] = (await once(child, 'close')) as [unknown];
  return { code, log };
}

describe('a forced end', () => {
  it.each([
    ['of a process with an uncaught error tells the supervisor to restart it', "throw new Error('x')", 70],
    ['of a process that was told to stop is not retried', "process.kill(process.pid, 'SIGTERM')", 1],
  ])('%s', async (_name, what, code) => {
    const end = await endAfter(what);
    expect(end).toEqual({ code, log: expect.stringContaining('The stop is forced after 0.1 s') });
  });
});
