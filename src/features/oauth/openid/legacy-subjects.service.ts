import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { SecretBox } from '#kernel/crypto/secret-box.js';

/** The subject names that applications knew before users' ids were handed out: digests that only this installation can make. */
@Injectable()
export class LegacySubjectsService {
  private readonly secret: string;

  constructor(box: SecretBox) {
    this.secret = box.derive('sub_legacy').toString('hex');
  }

  /** SHA-256 of id and secret, in hexadecimal; the same for a user as long as SECRETS_KEY keeps its oldest key. */
  of(userId: number): string {
    return hash('sha256', `${userId}-${this.secret}`, 'hex');
  }
}
