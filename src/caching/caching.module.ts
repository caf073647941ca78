import { Module } from '@nestjs/common';
import { AuditModule } from '../audit/index.js';
import { ErasureModule } from '../erasure/index.js';
import { ReusableReports } from './reusable-reports.js';
import { ReuseAudit } from './reuse-audit.js';
import { ReuseEraser } from './reuse-eraser.js';

@Module({ imports: [AuditModule, ErasureModule], providers: [ReusableReports, ReuseAudit, ReuseEraser] })
export class CachingModule {}
