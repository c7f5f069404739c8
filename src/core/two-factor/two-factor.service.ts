import { Injectable } from '@nestjs/common';
import { SecretBox } from '#kernel/crypto/secret-box.js';
import type { Tx } from '#kernel/database/transactions.js';
import { TwoFactorStateService } from '#core/users/sign-ins/two-factor-state.service.js';
import { RecoveryCode } from './codes/recovery-code.entity.js';
import { newRecoveryCodes, recoveryCodeDigest } from './codes/recovery-codes.js';
import { matchingStep } from './codes/totp.js';
import { UserTwoFactor } from './user-two-factor.entity.js';

const purpose = (userId: number): string => `two-factor:${userId}`;

/** The rows of second factors. Callers hold the lock of the user's row, so that nothing here happens twice at once. */
@Injectable()
export class TwoFactorService {
  constructor(
    private readonly box: SecretBox,
    private readonly state: TwoFactorStateService,
  ) {}

  /** Stores a secret that `step` has proven; that step counts as used. @returns the recovery codes, for showing once */
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

  /** Makes the former recovery codes useless. @returns the new ones, for showing once */
  async replaceCodes(tx: Tx, userId: number): Promise<string[]> {
    const codes = newRecoveryCodes();
    await tx.delete(RecoveryCode, { userId });
    await tx.insert(
      RecoveryCode,
      codes.map((code) => ({ userId, digest: recoveryCodeDigest(code) })),
    );
    return codes;
  }

  /** Uses up the time step of a code of the authenticator. @returns whether the code was right and not used before */
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

  /** Uses up a recovery code. @returns whether there was such a code and it was not used before */
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
