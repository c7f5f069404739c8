// The version that Express brings has no types.
declare module 'cookie' {
  /** Reads a `Cookie` header: the first value of each name, without quotes around it. */
  export function parse(
    header: string,
    options?: { decode?(value: string): string },
  ): Record<string, string | undefined>;
}
