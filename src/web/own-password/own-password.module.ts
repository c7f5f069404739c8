import { Module } from '@nestjs/common';
import { SignInPagesModule } from '../sign-in/sign-in-pages.module.js';
import { OwnPasswordController } from './own-password.controller.js';

/** The pages that change a password. */
@Module({ imports: [SignInPagesModule], controllers: [OwnPasswordController] })
export class OwnPasswordModule {}
