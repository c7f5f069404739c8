import { Module } from '@nestjs/common';
import { ProjectReaders } from './project-readers.js';

/** What issues, merge requests and epics have in common. */
@Module({ providers: [ProjectReaders], exports: [ProjectReaders] })
export class IssuablesModule {}
