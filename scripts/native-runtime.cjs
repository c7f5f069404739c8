// jest's runtime for compiled specs (scripts/compile-specs.mjs): Node itself loads them and all that they import, once a worker, instead of jest's
// loader in a context of its own for every file. Modules cannot be mocked here; `jest.spyOn` works.
const { createRequire } = require('node:module');
const { pathToFileURL } = require('node:url');
const { default: Runtime } = require('jest-runtime');

module.exports = class NativeRuntime extends Runtime {
  /** jest would replace the real one: the environment has the globals of the process. */
  installGetBuiltinModule() {}

  /** jest's own modules are those that the worker has; only the state of a test file is made anew. */
  requireInternalModule(from, to) {
    const path = to === undefined ? from : createRequire(from).resolve(to);
    if (path.endsWith('jestAdapterInit.js')) {
      delete require.cache[path];
      module.children = module.children.filter(({ id }) => id !== path);
    }
    return require(path);
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
