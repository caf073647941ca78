import { DiscoveryService, MetadataScanner, ModulesContainer, NestFactory, Reflector } from '@nestjs/core';
import type { Command } from 'commander';
import { loadConfig } from '../config.js';
import { addCommand } from './command.js';

interface DescribeOptions {
  readonly asyncapi?: true;
}

/** Prints what a service with these settings would say of itself. Needs neither a database nor a running service. */
export function describeCommand(program: Command): void {
  addCommand(
    program,
    'describe',
    'print the description of the HTTP interface (OpenAPI), or of events and webhooks; JSON always',
  )
    .option('--asyncapi', 'events and webhooks (AsyncAPI)')
    .action(async ({ asyncapi }: DescribeOptions) => {
      const config = loadConfig();
      const [{ AppModule }, { documentsOf, Routes }, { installedReportTypes }] = await Promise.all([
        import('../app.module.js'),
        import('../description/index.js'),
        import('../generators/index.js'),
      ]);
      const app = await NestFactory.createApplicationContext(AppModule.with(config), {
        preview: true,
        logger: false,
      });
      const discovery = new DiscoveryService(app.get(ModulesContainer));
      const routes = new Routes(discovery, new MetadataScanner(), new Reflector());
      const made = documentsOf(routes.all(), await installedReportTypes(config), config.publicUrl);
      process.stdout.write(`${JSON.stringify(asyncapi ? made.asyncApi : made.openApi, null, 2)}\n`);
    });
}
