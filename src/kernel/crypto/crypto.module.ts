import { Global, Module } from '@nestjs/common';
import { SecretBox } from './secret-box.js';

/** Offers the SecretBox everywhere. */
@Global()
@Module({ providers: [SecretBox], exports: [SecretBox] })
export class CryptoModule {}
