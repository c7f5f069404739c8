import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { Tx } from '#kernel/database/transactions.js';
import { TwoFactorStateService } from '#core/users/sign-ins/two-factor-state.service.js';
import { RecoveryCode } from './codes/recovery-code.entity.js';
import { newRecoveryCodes, recoveryCodeDigest } from './codes/recovery-codes.js';
import { matchingStep } from './codes/totp.js';
import { UserTwoFactor } from './user-two-factor.entity.js';

const purpose = (userId: number): string => `two-factor:${userId}`;

/**
 * Manages the rows of second factors. Callers hold the lock of the user's row, so that operations do not run
 * concurrently.
 */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly box: SecretBox,
    private readonly state: TwoFactorStateService,
  ) {}

  /** Stores a secret proven by `step`, which counts as used. @returns the recovery codes, to be shown once */
  async insert(tx: Tx, userId: number, secret: string, step: number): Promise<string[]> {
    const sealedSecret = this.box.seal(secret, purpose(userId));
    await tx.insert(UserTwoFactor, { userId, sealedSecret, lastStep: step });
    await this.state.mark(tx, userId, true);
    return this.replaceCodes(tx, userId);
  }

  /** Removes the second factor with its recovery codes. */
  async remove(tx: Tx, userId: number): Promise<void> {
    await tx.delete(UserTwoFactor, { userId });
    await this.state.mark(tx, userId, false);
  }

  /** Invalidates the former recovery codes. @returns the new ones, to be shown once */
  async replaceCodes(tx: Tx, userId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    await tx.delete(RecoveryCode, { userId });
    await tx.insert(
      RecoveryCode,
      codes.map((code) => ({ userId, digest: recoveryCodeDigest(code) })),
    );
    return codes;
  }

  /** Consumes the time step of an authenticator code. @returns whether the code was correct and unused */
  async useCode(tx: Tx, userId: number, code: string): Promise<boolean> {
    const factor = await tx.findOne(UserTwoFactor, {
      where: { userId },
      lock: { mode: 'pessimistic_write' },
    });
    if (!factor) return false;
    const secret = this.box.open(factor.sealedSecret, purpose(userId));
    const step = matchingStep(secret, code, new Date(), factor.lastStep);
    if (step === null) return false;
    const isOutdated = this.box.isOutdated(factor.sealedSecret);
    const renewed = isOutdated ? { sealedSecret: this.box.seal(secret, purpose(userId)) } : {};
    await tx.update(UserTwoFactor, { userId }, { lastStep: step, ...renewed });
    return true;
  }

  /** Consumes a recovery code. @returns whether it exists and was unused */
  async useRecoveryCode(tx: Tx, userId: number, code: string): Promise<boolean> {
    const { affected } = await tx
      .createQueryBuilder()
      .update(RecoveryCode)
      .set({ usedAt: () => 'now()' })
      .where({ userId, digest: recoveryCodeDigest(code) })
      .andWhere('used_at is null')
      .execute();
    return affected === 1;
  }
}
