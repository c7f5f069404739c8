import { Module } from '@nestjs/common';
import { ProjectPagesController } from './project-pages.controller.js';
import { OwnProjectsQueries } from './own-projects.queries.js';

/** The way to the pages of projects. */
@Module({ controllers: [ProjectPagesController], providers: [OwnProjectsQueries] })
export class ProjectPagesModule {}
