const MIB = 1024 * 1024;

/** A text of a repeated part, as long as descriptions and comments may be. */
export const longText = (part: string, bytes = MIB - 1_000): string =>
  part.repeat(Math.floor(bytes / Buffer.byteLength(part)));

/** Texts that must be read to their ends. */
export const HEAVY_TEXTS: Readonly<Record<string, string>> = {
  tasks: longText('- [ ] a\n'),
  'nested quotes': longText('> > > - [x] a\n'),
  mentions: longText('@root '),
  'names with dots': longText('@a.b-c/d '),
  references: longText('Closes #1, #2 and !3\n'),
  'long words': longText('a'),
  blanks: longText(' '),
  backticks: longText('`a`` '),
  fences: longText('```\n~~~\n'),
  comments: longText('<!--'),
  commands: longText('/label ~"a b"\n'),
  quotes: longText('>>>\n/label ~a\n'),
};

/** Markdown that is most expensive to parse. */
export const HEAVY_MARKDOWN: Readonly<Record<string, string>> = {
  emphasis: longText('**a *b ', 256 * 1024),
  links: longText('[a](<b', 256 * 1024),
  brackets: longText('[', 256 * 1024),
  images: longText('![a](b) ', 256 * 1024),
  quotes: longText('> > > > a\n', 256 * 1024),
  lists: longText('- a\n  - b\n', 256 * 1024),
  tables: `|${'a|'.repeat(100)}\n|${'-|'.repeat(100)}\n${longText(`|${'b|'.repeat(100)}\n`, 250 * 1024)}`,
  code: longText('`a`` ', 256 * 1024),
  autolinks: longText('<http://a.b> ', 256 * 1024),
  references: `${longText('[a]: b\n', 128 * 1024)}${longText('[a] ', 127 * 1024)}`,
  headings: longText('# a\n', 256 * 1024),
};
