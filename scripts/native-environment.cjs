// The environment of compiled specs (scripts/native-runtime.cjs): the process itself.
const process = require('node:process');
const { ModuleMocker } = require('jest-mock');

/** State of a test file that jest keeps under symbols of the global object. */
const STATE = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|RETRY_|TEST_TIMEOUT|LOG_ERRORS|WAIT_BEFORE)/;

module.exports = class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  // No spec has asked for them: time is the real one.
  fakeTimers = null;
  fakeTimersModern = null;
  own = { console: globalThis.console, exit: process.exit, env: process.env, write: process.stdout.write };

  constructor() {
    forget();
  }

  setup() {}

  teardown() {
    globalThis.console = this.own.console;
    process.exit = this.own.exit;
    // A spec that ends while it runs a command leaves its variables and its spies.
    process.env = this.own.env;
    process.stdout.write = this.own.write;
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
