/**
 * Programming and markup languages by file extension, one for each. Packages list all languages of an
 * extension (`.ts` is also a translation format), but not the intended one.
 */
const ENDINGS: Readonly<Record<string, string>> = {
  Assembly: 's asm',
  Astro: 'astro',
  Batchfile: 'bat cmd',
  C: 'c h',
  'C#': 'cs csx',
  'C++': 'cc cpp cxx c++ hh hpp hxx ipp tpp',
  Clojure: 'clj cljc cljs',
  CMake: 'cmake',
  COBOL: 'cob cbl cobol',
  CoffeeScript: 'coffee',
  Crystal: 'cr',
  CSS: 'css',
  Cuda: 'cu cuh',
  D: 'd',
  Dart: 'dart',
  Dockerfile: 'dockerfile',
  Elixir: 'ex exs',
  Elm: 'elm',
  Erlang: 'erl hrl',
  'F#': 'fs fsx fsi',
  Fortran: 'f f90 f95 f03 for',
  GLSL: 'glsl vert frag',
  Go: 'go',
  Groovy: 'groovy gradle',
  Haml: 'haml',
  Handlebars: 'hbs handlebars',
  Haskell: 'hs lhs',
  HCL: 'tf hcl tfvars',
  HTML: 'html htm xhtml',
  Java: 'java',
  JavaScript: 'js mjs cjs jsx',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  Makefile: 'mk mak',
  Nim: 'nim',
  Nix: 'nix',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  OCaml: 'ml mli',
  Pascal: 'pas pp dpr',
  Perl: 'pl pm',
  PHP: 'php phtml',
  PLpgSQL: 'pgsql',
  PowerShell: 'ps1 psm1 psd1',
  Pug: 'pug jade',
  Python: 'py pyi pyw',
  R: 'r',
  Ruby: 'rb rake gemspec ru',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'scala sc sbt',
  Scheme: 'scm ss',
  Shell: 'sh bash zsh ksh bats',
  Solidity: 'sol',
  Svelte: 'svelte',
  Swift: 'swift',
  SystemVerilog: 'sv svh',
  Tcl: 'tcl',
  TeX: 'tex sty cls',
  TypeScript: 'ts mts cts tsx',
  VHDL: 'vhd vhdl',
  Verilog: 'v vh',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat wast',
  XSLT: 'xsl xslt',
  Zig: 'zig',
};

const BY_NAME = new Map(
  Object.entries({
    'cmakelists.txt': 'CMake',
    containerfile: 'Dockerfile',
    dockerfile: 'Dockerfile',
    gemfile: 'Ruby',
    gnumakefile: 'Makefile',
    jenkinsfile: 'Groovy',
    makefile: 'Makefile',
    rakefile: 'Ruby',
    vagrantfile: 'Ruby',
  }),
);

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, ends]) =>
    ends.split(' ').map((end) => [end, language] as const),
  ),
);

/** Vendored and generated code. */
const NOT_OURS =
  /(^|\/)(node_modules|bower_components|vendor|third[-_]party|dist|\.yarn|\.venv)\/|[.-]min\.(js|css)$|\.pb\.go$|_pb2\.py$/i;

/** Returns the language of a file; null for data, prose and code of others. */
export function languageOf(path: string): string | null {
  if (NOT_OURS.test(path)) return null;
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const end = name.slice(name.lastIndexOf('.') + 1);
  return BY_NAME.get(name) ?? (name.includes('.') ? (BY_ENDING.get(end) ?? null) : null);
}

/** Returns shares in percent with two decimals, largest first. */
export function languageShares(bytes: ReadonlyMap<string, number>): Record<string, number> {
  const total = [...bytes.values()].reduce((sum, size) => sum + size, 0);
  if (total === 0) return {};
  const shares = [...bytes].sort(([a, left], [b, right]) => right - left || (a < b ? -1 : 1));
  return Object.fromEntries(shares.map(([name, size]) => [name, Math.round((size * 10_000) / total) / 100]));
}
