import { Module } from '@nestjs/common';

/** Takes in what the SDKs of applications send. */
@Module({})
export class ErrorIntakeModule {}
