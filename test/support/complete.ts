/** Whether tests run in full (`.ci/run` sets TESTS_COMPLETE=1), or as far as somebody waits for them. */
export const isComplete = (env: NodeJS.ProcessEnv = process.env): boolean => env['TESTS_COMPLETE'] === '1';
