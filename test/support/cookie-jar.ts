/** The cookies that a browser keeps of one site. */
export class CookieJar extends Map<string, string> {
  /** Value of the `Cookie` header. */
  get header(): string {
    return [...this].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /** Applies the lines of `Set-Cookie`. */
  keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; *(max-age=0|expires=thu, 01 jan 1970[^;]*)(;|$)/i.test(line)) this.delete(name);
      else this.set(name, value);
    }
  }
}
