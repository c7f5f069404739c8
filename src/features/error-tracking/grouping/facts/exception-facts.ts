import { plainObjectOf } from '#kernel/http/plain-object.js';
import { lineOf, textOf, valuesOf } from './event-text.js';
import { MAX_DESCRIPTION, MAX_NAME, type Origin } from './origin.js';

type Hash = Readonly<Record<string, unknown>>;

/** Returns the frame of the crash: the last one of the application, else the last one. */
function crashFrame(exception: Hash): Hash | null {
  const frames = valuesOf(plainObjectOf(exception['stacktrace'])?.['frames']);
  const own = frames.findLast((frame) => plainObjectOf(frame)?.['in_app'] === true);
  return plainObjectOf(own) ?? plainObjectOf(frames.findLast((frame) => plainObjectOf(frame) !== null));
}

/** Without query and fragment, which differ between pages. */
const fileOf = (frame: Hash): string | null =>
  textOf(frame['filename'] ?? frame['abs_path'], MAX_NAME)?.replace(/[?#].*$/s, '') ?? null;

/** Removes numbers, addresses and ids, which differ between events of one error. */
const withoutNumbers = (text: string): string =>
  text.replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|0x[0-9a-f]+|\d+/gi, '0');

/** Returns the raised exception, the last one of its chain; null if the event has none. */
export function exceptionOrigin(event: Hash, transaction: string | null): Origin | null {
  const exceptions = valuesOf(event['exception']);
  const exception = plainObjectOf(exceptions.findLast((one) => plainObjectOf(one) !== null));
  if (!exception) return null;
  const type = lineOf(exception['type'], MAX_NAME);
  const description = textOf(exception['value'], MAX_DESCRIPTION);
  const frame = crashFrame(exception);
  const file = frame && (lineOf(frame['module'], MAX_NAME) ?? fileOf(frame));
  const called = frame && lineOf(frame['function'], MAX_NAME);
  const name = type ?? lineOf(exception['value'], MAX_NAME) ?? 'Error';
  const location = transaction ?? lineOf(called && file ? `${called}(${file})` : (called ?? file), MAX_NAME);
  return { name, description, location, key: keyOf(type ?? '', file, called, transaction, description) };
}

function keyOf(
  type: string,
  file: string | null,
  called: string | null,
  transaction: string | null,
  description: string | null,
): readonly string[] {
  if (file !== null || called !== null) return ['frame', type, file ?? '', called ?? ''];
  if (transaction !== null) return ['transaction', type, transaction];
  // Without a location, only the message is left.
  return ['value', type, withoutNumbers(description ?? '')];
}
