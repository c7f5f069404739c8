import { Injectable } from '@nestjs/common';
import { hash } from 'node:crypto';
import { SecretBox } from '#kernel/crypto/secret-box.js';

/** Subjects from before user ids were used: digests that only this installation can compute. */
@Injectable()
export class LegacySubjectsService {
  private readonly secret: string;

  constructor(box: SecretBox) {
    this.secret = box.derive('sub_legacy').toString('hex');
  }

  /**
   * Returns SHA-256 of id and secret, in hexadecimal; constant for a user while SECRETS_KEY keeps its oldest
   * key.
   */
  of(userId: number): string {
    return hash('sha256', `${userId}-${this.secret}`, 'hex');
  }
}
