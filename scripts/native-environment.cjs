// The environment of compiled specs (scripts/native-runtime.cjs): the process itself.
const { ModuleMocker } = require('jest-mock');

/** What jest keeps of a test file under symbols of the global object. */
const STATE = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|RETRY_|TEST_TIMEOUT|LOG_ERRORS|WAIT_BEFORE)/;

module.exports = class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  // No spec has asked for them: time is the real one.
  fakeTimers = null;
  fakeTimersModern = null;
  own = { console: globalThis.console, exit: globalThis.process.exit };

  constructor(_c, context) {
    this.path = context.testPath;
    this.cpu = cpuNow();
    this.began = Date.now();
    forget();
  }

  setup() {}

  teardown() {
    if (process.env.FP_PROFILE) {
      const end = cpuNow();
      require('node:fs').appendFileSync(process.env.FP_PROFILE, JSON.stringify({ path: this.path, pid: process.pid, wall: (Date.now() - this.began) / 1000, user: end[0] - this.cpu[0], sys: end[1] - this.cpu[1], cu: end[2] - this.cpu[2], cs: end[3] - this.cpu[3], rss: process.memoryUsage.rss() / 1e6, heap: process.memoryUsage().heapUsed / 1e6 }) + '\n');
    }
    globalThis.console = this.own.console;
    globalThis.process.exit = this.own.exit;
    forget();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** Nothing runs in a context. */
  getVmContext() {
    return null;
  }
};

function forget() {
  for (const key of Object.getOwnPropertySymbols(globalThis))
    if (STATE.test(key.description ?? '')) delete globalThis[key];
}

function cpuNow() {
  const f = require('node:fs').readFileSync('/proc/self/stat', 'utf8').split(') ')[1].split(' ');
  return [f[11], f[12], f[13], f[14]].map((n) => Number(n) / 100);
}
