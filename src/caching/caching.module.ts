import { Module } from '@nestjs/common';
import { ReusableReports } from './reusable-reports.js';

@Module({ providers: [ReusableReports] })
export class CachingModule {}
