// jest's runtime for compiled specs (scripts/compile-specs.mjs): Node itself loads them and everything that
// they import, once per worker, instead of jest's loader in a separate context for every file. Modules cannot
// be mocked here; `jest.spyOn` works.
const hooks = require('node:async_hooks');
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

/** Remove what jest created for the tests of the previous file: every promise would continue to carry it. */
const contexts = [];

/** Loads anew what holds the state of a test file. */
function loadAnew(path) {
  delete require.cache[path];
  module.children = module.children.filter(({ id }) => id !== path);
  for (const context of contexts.splice(0)) context.disable();
  const { AsyncLocalStorage } = hooks;
  hooks.AsyncLocalStorage = class extends AsyncLocalStorage {
    constructor(...args) {
      super(...args);
      contexts.push(this);
    }
  };
  try {
    return require(path);
  } finally {
    hooks.AsyncLocalStorage = AsyncLocalStorage;
  }
}

module.exports = class NativeRuntime extends Runtime {
  /** jest would replace the real one: the environment has the globals of the process. */
  installGetBuiltinModule() {}

  /** jest's own modules are those that the worker has; only the state of a test file is made anew. */
  requireInternalModule(from, to) {
    const path = to === undefined ? from : createRequire(from).resolve(to);
    return path.endsWith('jestAdapterInit.js') ? loadAnew(path) : require(path);
  }

  unstable_shouldLoadAsEsm() {
    return true;
  }

  setGlobalsForRuntime(globals) {
    super.setGlobalsForRuntime(globals);
    this.testGlobals = globals;
  }

  async unstable_importModule(path) {
    const { useGlobals } = await import('./native-globals.mjs');
    useGlobals({ ...this.testGlobals, jest: this.jestGlobals.jestObjectFor(path) });
    const { default: define } = await import(pathToFileURL(path).href);
    define();
  }
};
