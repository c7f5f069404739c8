/** Whether tests run completely (`.ci/run` sets TESTS_COMPLETE=1), instead of in the short form for developers. */
export const isComplete = (env: NodeJS.ProcessEnv = process.env): boolean => env['TESTS_COMPLETE'] === '1';
