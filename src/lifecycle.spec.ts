import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { resolve } from 'node:path';

/** Exit code of a process with a Lifecycle whose stop never ends and is forced after 100 ms. */
async function exitCodeAfter(what: string): Promise<unknown> {
  const script = `
    import { Lifecycle } from ${JSON.stringify(pathToFileURL(resolve('dist/src/lifecycle.js')))};
    const lifecycle = new Lifecycle();
    lifecycle.listen();
    lifecycle.timeoutMs = 100;
    await lifecycle.onStop(() => new Promise(() => undefined));
    setInterval(() => undefined, 1_000);
    setTimeout(() => { ${what} });`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { stdio: 'ignore' });
  const [code] = (await once(child, 'exit')) as [unknown];
  return code;
}

describe('a forced end', () => {
  it.each([
    ['of a process with an uncaught error tells the supervisor to restart it', "throw new Error('x')", 70],
    ['of a process that was told to stop is not retried', "process.kill(process.pid, 'SIGTERM')", 1],
  ])('%s', async (_name, what, code) => {
    expect(await exitCodeAfter(what)).toBe(code);
  });
});
