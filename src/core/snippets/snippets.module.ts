import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SnippetAccess } from './snippet-access.js';
import { Snippet } from './snippet.entity.js';

/** Snippets, personal and of projects. */
@Module({
  imports: [TypeOrmModule.forFeature([Snippet])],
  providers: [SnippetAccess],
  exports: [SnippetAccess],
})
export class SnippetsModule {}
