/** Leads links into what is migrated to where it goes. */
export class LinkRewriter {
  private readonly pattern: RegExp;

  /** `from` and `to` are URLs of a group or project without trailing slash. */
  constructor(
    from: string,
    private readonly to: string,
  ) {
    // The next character must not make it the path of something else: `group/app` is no part of `group/app-two`.
    this.pattern = new RegExp(`${escaped(from)}(?![\\w-]|\\.(?!git\\b)\\w)`, 'gi');
  }

  /** The text with such links changed. */
  rewrite(text: string): string {
    return text.includes('://') ? text.replace(this.pattern, () => this.to) : text;
  }
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/-]/g, String.raw`\$&`);
