import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import type { Variable } from './variable.entity.js';

/** Whose a sealed value is: it opens nowhere else. */
export type SealedFor = Pick<Variable, 'ownerType' | 'ownerId' | 'key'>;

const purpose = ({ ownerType, ownerId, key }: SealedFor): string =>
  `ci_variable:${ownerType}:${ownerId}:${key}`;

/** Values of variables are kept sealed. */
@Injectable()
export class VariableSecretsService {
  private readonly logger = new Logger(VariableSecretsService.name);

  constructor(private readonly box: SecretBox) {}

  seal(value: string, variable: SealedFor): string {
    return this.box.seal(value, purpose(variable));
  }

  /** The value, or null when the key that it was sealed with is not there. */
  open(variable: SealedFor & Pick<Variable, 'value'>): string | null {
    try {
      return this.box.open(variable.value, purpose(variable));
    } catch (error) {
      if (!(error instanceof SecretUnreadable)) throw error;
      this.logger.error(`${error.message} (variable of ${variable.ownerType} ${variable.ownerId})`);
      return null;
    }
  }
}
