import { Module } from '@nestjs/common';

/** Takes in what monitoring tools send. */
@Module({})
export class AlertIntakeModule {}
