import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ReusableReports } from './reusable-reports.js';
import { ReuseAudit } from './reuse-audit.js';

@Module({ imports: [AuditModule], providers: [ReusableReports, ReuseAudit] })
export class CachingModule {}
