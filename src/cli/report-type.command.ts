import type { Command } from 'commander';
import { newReportType, ReportTypeRefused } from '../kit/new-report-type.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';

interface NewOptions extends CommonOptions {
  readonly directory: string;
}

export function reportTypeCommand(program: Command): void {
  const reportType = program.command('report-type').description('report types');
  addCommand(reportType, 'new', 'write a package with a new report type, its test and its page')
    .argument('<type>', 'what it is called, such as wool-clip.v1')
    .option('--directory <folder>', 'folder in which the package is put', '.')
    .action(write);
}

async function write(type: string, { directory, ...options }: NewOptions): Promise<void> {
  const written = await newReportType(type, directory).catch(refuse);
  const files = written.files.map((file) => `  ${file}`).join('\n');
  answer(
    options,
    written,
    `Wrote ${written.folder}\n${files}\nNext: cd ${written.folder} && npm install && npm test`,
  );
}

function refuse(error: unknown): never {
  throw error instanceof ReportTypeRefused ? new WrongUsage(error.message) : error;
}
