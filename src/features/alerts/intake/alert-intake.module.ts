import { Module } from '@nestjs/common';
import { AlertIntake } from './alert-intake.service.js';

/** Takes in what monitoring tools send. */
@Module({ providers: [AlertIntake], exports: [AlertIntake] })
export class AlertIntakeModule {}
