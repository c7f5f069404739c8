import { Module } from '@nestjs/common';
import { AssetsController } from './assets/assets.controller.js';

/** The pages for people. */
@Module({ controllers: [AssetsController] })
export class WebModule {}
