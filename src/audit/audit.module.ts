import { Module } from '@nestjs/common';
import { Audit } from './audit.js';

/** Imported by every module that promises something of its tables. */
@Module({ providers: [Audit], exports: [Audit] })
export class AuditModule {}
