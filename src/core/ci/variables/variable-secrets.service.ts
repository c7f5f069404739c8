import { Injectable, Logger } from '@nestjs/common';
import { SecretBox, SecretUnreadable } from '#kernel/crypto/secret-box.js';
import type { Variable } from './variable.entity.js';

/** Owner and key that a value is sealed for; it cannot be opened with others. */
export type SealedFor = Pick<Variable, 'ownerType' | 'ownerId' | 'key'>;

const purpose = ({ ownerType, ownerId, key }: SealedFor): string =>
  `ci_variable:${ownerType}:${ownerId}:${key}`;

/** Seals and opens the values of variables. */
@Injectable()
export class VariableSecretsService {
  private readonly logger = new Logger(VariableSecretsService.name);

  constructor(private readonly box: SecretBox) {}

  seal(value: string, variable: SealedFor): string {
    return this.box.seal(value, purpose(variable));
  }

  /** Opens a value; null if its encryption key is missing. */
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
