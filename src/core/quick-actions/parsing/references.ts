/** A reference to an issue, merge request or epic in a text. */
export interface Reference {
  /** Path of its project or group; null for that of the text. */
  readonly path: string | null;
  readonly iid: number;
}

const PARTS = { '#': 'issues', '!': 'merge_requests', '&': 'epics' } as const;

/** Parses `#5`, `group/project#5`, `5` or the URL of its page below `base`; null if it is not a reference. */
export function referenceIn(argument: string, sign: keyof typeof PARTS, base: string): Reference | null {
  if (argument.length > 2048) return null;
  const address = argument.startsWith(`${base}/`) ? argument.slice(base.length) : null;
  if (address !== null) {
    const [, path = '', rest = ''] =
      /^\/(?:groups\/)?([^#?]*?)\/(?:-\/)?([a-z_]+\/\d{1,9})\/?(?:[#?].*)?$/.exec(address) ?? [];
    const [part, iid] = rest.split('/');
    return part === PARTS[sign] ? { path, iid: Number(iid) } : null;
  }
  const at = argument.lastIndexOf(sign);
  const [path, number] = at < 0 ? ['', argument] : [argument.slice(0, at), argument.slice(at + 1)];
  if (!/^\d{1,9}$/.test(number) || /\s/.test(path)) return null;
  return { path: path === '' ? null : path, iid: Number(number) };
}
