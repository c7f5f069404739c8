import { createHash } from 'node:crypto';

/** A static file of the pages. Its name changes with its content, so browsers may cache it forever. */
export interface Asset {
  readonly name: string;
  readonly path: string;
  readonly type: string;
  readonly content: string;
}

/** Names a file by its content: `style` and `css` make `style-<hash>.css`. */
export function asset(base: string, extension: 'css' | 'js', content: string): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const name = `${base}-${hash}.${extension}`;
  const type = extension === 'css' ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
  return { name, path: `/-/assets/${name}`, type, content };
}
