import { Module } from '@nestjs/common';
import { ProjectPagesController } from './project-pages.controller.js';
import { OwnProjectsQueries } from './own-projects.queries.js';

/** Module of the page that leads to those of projects. */
@Module({ controllers: [ProjectPagesController], providers: [OwnProjectsQueries] })
export class ProjectPagesModule {}
