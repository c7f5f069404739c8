/** Rewrites links into what is imported to its destination. */
export class LinkRewriter {
  private readonly pattern: RegExp;

  /** `from` and `to` are URLs of a group or project without a trailing slash. */
  constructor(
    from: string,
    private readonly to: string,
  ) {
    // The next character must not continue the path: `group/app` is not part of `group/app-two`.
    this.pattern = new RegExp(`${escaped(from)}(?![\\w-]|\\.(?!git\\b)\\w)`, 'gi');
  }

  /** Returns the text with links rewritten. */
  rewrite(text: string): string {
    return text.includes('://') ? text.replace(this.pattern, () => this.to) : text;
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
