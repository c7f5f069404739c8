// What the runs of jest come to: the sums of `npm test`, and the specs that failed beside others and passed alone.

/**
 * Counts the tests of `first`, a list of jest's results of test files; of a file that is in `again` too, where the failed ones were run by
 * themselves, that second run counts.
 */
export function tally(first, again) {
  const sums = { passed: 0, failed: 0, skipped: 0, flaky: [] };
  const second = new Map(again.map((file) => [file.name, file]));
  for (const file of first) {
    const counted = second.get(file.name) ?? file;
    add(sums, counted);
    if (isFailed(file) && !isFailed(counted)) sums.flaky.push(file.name);
  }
  return sums;
}

/** Whether something of a test file failed. */
export const isFailed = ({ status }) => status === 'failed';

/** One that cannot even be loaded has no tests of its own to count. */
function add(sums, { status, assertionResults }) {
  const of = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status)).length;
  sums.passed += of('passed');
  sums.skipped += of('pending', 'todo', 'skipped', 'disabled');
  sums.failed += status === 'failed' ? Math.max(1, of('failed')) : of('failed');
}
