import { Injectable } from '@nestjs/common';
import { Config } from '#kernel/config/config.js';

/** Builds every URL that records contain, from EXTERNAL_URL. */
@Injectable()
export class Links {
  /** Base of all URLs, without trailing slash. */
  readonly base: string;

  constructor(config: Config) {
    this.base = config.externalUrl;
  }

  user(username: string): string {
    return `${this.base}/${username}`;
  }

  group(fullPath: string): string {
    return `${this.base}/groups/${fullPath}`;
  }

  project(fullPath: string): string {
    return `${this.base}/${fullPath}`;
  }

  /** Returns the URL of the avatar named `file`; null if there is none. */
  avatar(kind: 'user' | 'group' | 'project', id: number, file: string | null): string | null {
    return file === null
      ? null
      : `${this.base}/uploads/-/system/${kind}/avatar/${id}/${encodeURIComponent(file)}`;
  }

  /** `path` starts with a slash and is relative to /api/v4. */
  api(path: string): string {
    return `${this.base}/api/v4${path}`;
  }
}
