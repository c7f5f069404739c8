import { createHash } from 'node:crypto';

/** A file that pages load; its name changes with its content, so that browsers may keep it for ever. */
export interface Asset {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** Names a file after its content: `style` and `css` make `style-<hash>.css`. */
export function asset(base: string, extension: 'css' | 'js', content: string): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const name = `${base}-${hash}.${extension}`;
  const type = extension === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  return { name, path: `/-/assets/${name}`, type, content };
}
