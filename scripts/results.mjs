// Summarizes jest results: the totals of `npm test`, the specs that failed, and those that failed in parallel and passed alone.

/** Of many lines all must fit where only the end of a log is kept. */
const WHY_LENGTH = 300;

/**
 * Counts the tests of `first`, a list of jest's results of test files; for a file that is also in `again`,
 * where the failed ones ran alone, that second run counts. `flaky` names the files that failed only in the first run,
 * `broken` those that failed in the run that counts.
 */
export function tally(first, again) {
  const sums = { passed: 0, failed: 0, skipped: 0, flaky: [], broken: [] };
  const second = new Map(again.map((file) => [file.name, file]));
  for (const file of first) {
    const counted = second.get(file.name) ?? file;
    add(sums, counted);
    if (isFailed(counted)) sums.broken.push({ name: file.name, why: whyOf(counted) });
    else if (isFailed(file)) sums.flaky.push({ name: file.name, why: whyOf(file) });
  }
  return sums;
}

/** The test files that took longest, or all of them in this order, each with its seconds. */
export const longest = (files, count = files.length) =>
  files
    .map(({ name, startTime, endTime }) => ({ name, seconds: Math.round((endTime - startTime) / 1000) }))
    .toSorted((one, other) => other.seconds - one.seconds)
    .slice(0, count);

/** What failed first in a test file, in one line. */
function whyOf({ message = '', assertionResults }) {
  const first = assertionResults.find(({ status }) => status === 'failed');
  const text = first ? `${first.fullName}: ${first.failureMessages.join(' ')}` : message;
  // oxlint-disable-next-line no-control-regex -- jest colours its messages
  const plain = text.replace(/\u001B\[\d*m/g, '').replace(/\s+/g, ' ');
  return plain.length > WHY_LENGTH ? `${plain.slice(0, WHY_LENGTH)}...` : plain;
}

/** Whether anything in a test file failed. */
export const isFailed = ({ status }) => status === 'failed';

/** A file that cannot be loaded has no tests to count. */
function add(sums, { status, assertionResults }) {
  const of = (...wanted) => assertionResults.filter((test) => wanted.includes(test.status)).length;
  sums.passed += of('passed');
  sums.skipped += of('pending', 'todo', 'skipped', 'disabled');
  sums.failed += status === 'failed' ? Math.max(1, of('failed')) : of('failed');
}
