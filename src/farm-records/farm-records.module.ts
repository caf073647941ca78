import { Module } from '@nestjs/common';
import { ErasureModule } from '../erasure/index.js';
import { AuditModule } from '../audit/index.js';
import { RecordsEraser } from './records-eraser.js';
import { BookAudit } from './book-audit.js';
import {
  FindFarmHandler,
  ImportRecordsHandler,
  ListFarmsHandler,
  ListRecordsHandler,
  SaveFarmHandler,
  SettleFarmHandler,
} from './farm-records.handlers.js';
import { FarmsController } from './farms.controller.js';
import { Importer } from './importer.js';
import { NameFarmsHandler } from './name-farms.handler.js';
import { RecordsController } from './records.controller.js';
import { FarmSaver } from './save-farm.js';

@Module({
  imports: [ErasureModule, AuditModule],
  controllers: [FarmsController, RecordsController],
  providers: [
    Importer,
    FarmSaver,
    SaveFarmHandler,
    FindFarmHandler,
    ListFarmsHandler,
    ImportRecordsHandler,
    SettleFarmHandler,
    ListRecordsHandler,
    NameFarmsHandler,
    BookAudit,
    RecordsEraser,
  ],
})
export class FarmRecordsModule {}
