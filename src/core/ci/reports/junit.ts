/** Result of a test. */
export type TestStatus = 'success' | 'failed' | 'skipped' | 'error';

/** A test of a report. */
export interface TestCase {
  readonly status: TestStatus;
  readonly name: string;
  readonly classname: string;
  readonly file: string | null;
  /** In seconds. */
  readonly time: number;
  readonly output: string | null;
}

type Unfinished = { -readonly [Key in keyof TestCase]: TestCase[Key] };

const ENDINGS: Readonly<Record<string, TestStatus>> = {
  failure: 'failed',
  error: 'error',
  skipped: 'skipped',
};
/** If a test has several elements of these, the first one in this list counts, as in v4: a skipped rest hides no failure. */
const WEIGHTS: readonly TestStatus[] = ['failed', 'error', 'skipped', 'success'];

const outweighs = (one: TestStatus, other: TestStatus): boolean =>
  WEIGHTS.indexOf(one) < WEIGHTS.indexOf(other);

/** Above any real duration, so that sums stay finite numbers. */
const MAX_SECONDS = 1e9;
/** Limits of characters of stored names and outputs. */
const MAX_NAME = 1_000;
const MAX_OUTPUT = 10_000;

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** Decodes the predefined XML entities only; declared entities are not expanded. */
const decoded = (text: string): string =>
  text.replace(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name?: string, dec?: string, hex?: string) => {
      if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
      const code = dec === undefined ? Number.parseInt(hex ?? '', 16) : Number(dec);
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );

/**
 * Parses the tests of JUnit reports: all `<testcase>` elements, of one document or several concatenated ones.
 * A single pass from left to right that accepts any text; text that is not XML has no tests.
 */
export function parseJunit(text: string, maxCases: number): TestCase[] {
  const cases: TestCase[] = [];
  let current: Unfinished | null = null;
  let takesOutput = false;
  /** The body of a failure has more detail than its message. */
  let content = '';
  const take = (raw: string): void => {
    if (!current || !takesOutput || content.length >= MAX_OUTPUT || (content === '' && raw.trim() === ''))
      return;
    content = (content + raw).slice(0, MAX_OUTPUT);
    current.output = content;
  };
  let at = 0;
  while (at < text.length && cases.length < maxCases) {
    const open = text.indexOf('<', at);
    if (open < 0) break;
    if (takesOutput) take(decoded(text.slice(at, Math.min(open, at + MAX_OUTPUT))));
    if (text.startsWith('<![CDATA[', open)) {
      const end = indexAfter(text, ']]>', open);
      take(text.slice(open + 9, Math.min(end - 3, open + 9 + MAX_OUTPUT)));
      at = end;
      continue;
    }
    if (text.startsWith('<!--', open) || text.startsWith('<?', open)) {
      at = indexAfter(text, text[open + 1] === '?' ? '?>' : '-->', open);
      continue;
    }
    at = tagEnd(text, open);
    const tag = text.slice(open + 1, at - 1);
    const name = /^\/?[\w:.-]{0,40}/.exec(tag)?.[0] ?? '';
    if (name === 'testcase') {
      current = caseOf(tag.slice(name.length));
      takesOutput = false;
    } else if (current && Object.hasOwn(ENDINGS, name)) {
      const status = ENDINGS[name] ?? 'success';
      takesOutput = false;
      if (outweighs(current.status, status)) continue;
      current.status = status;
      current.output = attributes(tag.slice(name.length)).get('message')?.slice(0, MAX_OUTPUT) ?? null;
      takesOutput = !tag.endsWith('/');
      content = '';
    } else if (name.startsWith('/')) takesOutput = false;
    const isOver = name === '/testcase' || (name === 'testcase' && tag.endsWith('/'));
    if (current && isOver) {
      cases.push(current);
      current = null;
    }
  }
  return cases;
}

function caseOf(rest: string): Unfinished {
  const values = attributes(rest);
  const time = Number(values.get('time') ?? 0);
  return {
    status: 'success',
    name: (values.get('name') ?? '').slice(0, MAX_NAME),
    classname: (values.get('classname') ?? '').slice(0, MAX_NAME),
    file: values.get('file')?.slice(0, MAX_NAME) ?? null,
    time: time > 0 && time <= MAX_SECONDS ? time : 0,
    output: null,
  };
}

function indexAfter(text: string, what: string, from: number): number {
  const found = text.indexOf(what, from);
  return found < 0 ? text.length : found + what.length;
}

/** Returns the offset after the `>` of a tag, ignoring `>` within quotes. */
function tagEnd(text: string, from: number): number {
  let quote = '';
  for (let at = from; at < text.length; at += 1) {
    const sign = text[at] ?? '';
    if (quote !== '') {
      if (sign === quote) quote = '';
    } else if (sign === '"' || sign === "'") quote = sign;
    else if (sign === '>') return at + 1;
  }
  return text.length + 1;
}

function attributes(rest: string): Map<string, string> {
  const values = new Map<string, string>();
  let at = 0;
  for (;;) {
    const equals = rest.indexOf('=', at);
    if (equals < 0) return values;
    const name = rest.slice(at, equals).trim();
    let begin = equals + 1;
    while (/\s/.test(rest[begin] ?? '')) begin += 1;
    const quote = rest[begin];
    const end = quote === '"' || quote === "'" ? rest.indexOf(quote, begin + 1) : -1;
    if (end < 0) return values;
    if (name.length <= 40) values.set(name, decoded(rest.slice(begin + 1, end)));
    at = end + 1;
  }
}
