import { Module } from '@nestjs/common';
import { SignInPagesModule } from '../sign-in/sign-in-pages.module.js';
import { OwnPasswordController } from './own-password.controller.js';

/** Module of the pages for changing one's password. */
@Module({ imports: [SignInPagesModule], controllers: [OwnPasswordController] })
export class OwnPasswordModule {}
