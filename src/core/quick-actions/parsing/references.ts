/** How a text names an issue, merge request or epic. */
export interface Reference {
  /** Of its project or group; null for the one in which the text is. */
  readonly path: string | null;
  readonly iid: number;
}

const PARTS = { '#': 'issues', '!': 'merge_requests', '&': 'epics' } as const;

/** `#5`, `group/project#5`, `5` or the address of its page below `base`; null for what names nothing. */
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
