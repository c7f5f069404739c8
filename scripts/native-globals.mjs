// `@jest/globals` of the specs that Node's own loader loads. A worker keeps the modules of all its test
// files, and each of these files has its own `describe`: the exports here call that of the current file.
let current;

/** The test files of a process share its modules, whose state outlives a single file. */
globalThis[Symbol.for('forgeplane.shared-modules')] = true;

/** The matchers: the same for all files. */
export let expect;
/** Mocks of the current file. */
export let jest;

/** Called before each test file, with its globals. */
export function useGlobals(globals) {
  current = globals;
  ({ expect, jest } = globals);
}

const live = (...path) =>
  new Proxy(() => undefined, {
    apply: (_target, _self, args) => path.reduce((value, key) => value[key], current)(...args),
    get: (_target, key) => live(...path, key),
  });

export const afterAll = live('afterAll');
export const afterEach = live('afterEach');
export const beforeAll = live('beforeAll');
export const beforeEach = live('beforeEach');
export const describe = live('describe');
export const it = live('it');
export const test = live('test');
