import { Injectable } from '@nestjs/common';
import { PackedBodies } from '#kernel/http/bodies/packed-bodies.js';
import { unreadable } from '../intake-errors.js';

const MEBIBYTE = 1024 * 1024;

/** Reads bodies of SDKs, compressed or not (`decisions.md` 2.12). */
@Injectable()
export class SentBodiesService extends PackedBodies {
  constructor() {
    super({
      encodings: ['gzip', 'x-gzip', 'deflate', 'br'],
      maxPacked: MEBIBYTE,
      maxBytes: 20 * MEBIBYTE,
      smallBytes: MEBIBYTE / 4,
      largeAtOnce: 2,
      maxWaiting: 1_000,
      maxHeld: 128 * MEBIBYTE,
      unknown: unreadable,
      broken: unreadable,
    });
  }
}
