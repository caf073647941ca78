import { Module } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Documents } from './documents.js';
import { DocumentsController } from './documents.controller.js';
import { Routes } from './routes.js';

/** What the service says of itself: to machines, and to the people who build on it. */
@Module({
  imports: [DiscoveryModule],
  controllers: [DocumentsController],
  providers: [Documents, Routes],
})
export class DescriptionModule {}
