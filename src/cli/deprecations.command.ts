import { QueryBus } from '@nestjs/cqrs';
import type { Command } from 'commander';
import { type Deprecation, ListDeprecations } from '../deprecation/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions } from './command.js';

export function deprecationsCommand(program: Command): void {
  addCommand(program, 'deprecations', 'say who still asks for deprecated report types').action(list);
}

async function list(options: CommonOptions): Promise<void> {
  const deprecations = await withApplication((app) => app.get(QueryBus).execute(new ListDeprecations()));
  answer(options, { types: deprecations.map(asJson) }, deprecations.map(inWords).join('\n') || 'None.');
}

function asJson({ deprecatedSince, sunset, clients, ...rest }: Deprecation): object {
  return {
    ...rest,
    ...(deprecatedSince !== undefined && { deprecatedSince: dayOf(deprecatedSince) }),
    ...(sunset !== undefined && { sunset: dayOf(sunset) }),
    clients: clients.map(({ lastUsedAt, ...client }) => ({ ...client, lastUsedAt: isoOf(lastUsedAt) })),
  };
}

function inWords({ type, replacedBy, sunset, uses, clients }: Deprecation): string {
  const end = sunset === undefined ? 'no sunset planned' : `sunset ${dayOf(sunset)}`;
  return [
    `${type}: ask for ${replacedBy}; ${end}; used ${uses} times`,
    ...clients.map((client) => `  ${client.client}  ${client.uses} times, last ${isoOf(client.lastUsedAt)}`),
  ].join('\n');
}

function dayOf(unixSeconds: number): string {
  return isoOf(unixSeconds * 1000).slice(0, 10);
}

function isoOf(unixMilliseconds: number): string {
  return new Date(unixMilliseconds).toISOString();
}
