import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { type Command, Option } from 'commander';
import {
  ChangeReportSchedule,
  CreateReportSchedule,
  FarmNotReached,
  FindReportSchedule,
  ListReportSchedules,
  PERIODS,
  RemoveReportSchedule,
  type ReportSchedule,
  type ScheduleSettings,
  TooManySchedules,
  UnknownReportType,
} from '../schedules/index.js';
import { withApplication } from './application.js';
import { addCommand, answer, type CommonOptions, WrongUsage } from './command.js';
import { CREDENTIAL, inTheNameOf } from './credential.js';
import { OPERATOR } from './operator.js';

/** Schedules that are asked for at a time. */
const PAGE = 500;

interface CreateOptions extends CommonOptions {
  readonly credential: string;
  readonly farm: string;
  readonly type: string;
  readonly every: ScheduleSettings['every'];
  readonly daysAfter: string;
  readonly at: string;
}

/** Reports that recur: `schedule create`, `list`, `pause`, `resume`, `delete`. */
export function scheduleCommand(program: Command): void {
  const schedule = program.command('schedule').description('reports that recur');

  addCommand(schedule, 'create', 'have a report made again and again')
    .requiredOption('--credential <id>', `in whose name: ${CREDENTIAL}`)
    .requiredOption('--farm <id>', 'farm it is about')
    .requiredOption('--type <type>', 'report type, such as livestock-sale.v1')
    .addOption(new Option('--every <period>', 'which periods').choices(PERIODS).makeOptionMandatory())
    .option('--days-after <days>', 'days after the last day of the period', '1')
    .option('--at <time>', 'time of that day on the farm’s clocks, HH:MM', '06:00')
    .action(create);

  addCommand(schedule, 'list', 'show every schedule')
    .option('--farm <id>', 'only those of this farm')
    .action(list);

  for (const [name, enabled] of [['pause', false] as const, ['resume', true] as const])
    addCommand(schedule, name, `${name} a schedule`)
      .argument('<id>', 'the schedule, sch-…')
      .option('--credential <id>', 'in whose name from now on: its own unless said')
      .action((id: string, options: CommonOptions & { credential?: string }) => turn(id, enabled, options));

  addCommand(schedule, 'delete', 'remove a schedule; its reports stay')
    .argument('<id>', 'the schedule, sch-…')
    .action(remove);
}

async function create(options: CreateOptions): Promise<void> {
  const { credential, farm: tenantId, type, every, at } = options;
  if (!/^([01]\d|2[0-3]):[0-5]\d$/.test(at)) throw new WrongUsage('--at is a time of day, such as 06:00');
  const daysAfter = Number(options.daysAfter);
  if (!Number.isInteger(daysAfter) || daysAfter < 1 || daysAfter > 60)
    throw new WrongUsage('--days-after is a whole number from 1 to 60');
  const settings = { tenantId, type, every, at, daysAfter, enabled: true };
  const made = await withApplication(async (app) => {
    const principal = await inTheNameOf(app, credential, 'write:reports');
    const command = new CreateReportSchedule(principal, settings, Date.now());
    return app.get(CommandBus).execute(command).catch(explain);
  });
  answer(options, made, describe(made));
}

async function list({ farm, ...options }: CommonOptions & { farm?: string }): Promise<void> {
  const data = await withApplication((app) => everySchedule(app.get(QueryBus), farm));
  answer(options, { data }, data.map(describe).join('\n') || 'There is no schedule.');
}

async function everySchedule(queries: QueryBus, farm: string | undefined): Promise<ReportSchedule[]> {
  const schedules: ReportSchedule[] = [];
  for (;;) {
    const query = new ListReportSchedules(OPERATOR, PAGE, schedules.at(-1)?.id, farm);
    const page = await queries.execute(query);
    schedules.push(...page);
    if (page.length < PAGE) return schedules;
  }
}

async function turn(
  id: string,
  enabled: boolean,
  { credential, ...options }: CommonOptions & { credential?: string },
): Promise<void> {
  const changed = await withApplication(async (app) => {
    const found = await app.get(QueryBus).execute(new FindReportSchedule(OPERATOR, id));
    if (!found) throw new NoSuchSchedule(id);
    const principal = await inTheNameOf(app, credential ?? found.owner, 'write:reports');
    return app.get(CommandBus).execute(new ChangeReportSchedule(principal, id, { enabled }, Date.now()));
  });
  if (!changed) throw new Error('the credential does not reach the farm of the schedule');
  answer(options, changed, describe(changed));
}

async function remove(id: string, options: CommonOptions): Promise<void> {
  const command = new RemoveReportSchedule(OPERATOR, id);
  if (!(await withApplication((app) => app.get(CommandBus).execute(command)))) throw new NoSuchSchedule(id);
  answer(options, { id, removed: true }, `Schedule ${id} is removed.`);
}

class NoSuchSchedule extends Error {
  constructor(id: string) {
    super(`there is no schedule ${id}`);
  }
}

function explain(error: unknown): never {
  if (error instanceof FarmNotReached)
    throw new Error('there is no such farm, or the credential does not reach it');
  if (error instanceof UnknownReportType)
    throw new WrongUsage(`--type must be one of ${error.known.join(', ')}`);
  throw error instanceof TooManySchedules ? new Error(error.message) : error;
}

function describe({ id, type, tenantId, every, owner, enabled, stopped, ...next }: ReportSchedule): string {
  const due = `${next.nextPeriod.start} to ${next.nextPeriod.end} at ${new Date(next.nextDueDate).toISOString()}`;
  return `${id}  ${type}  ${tenantId}  every ${every}  ${owner}  ${enabled ? due : `paused${stopped === undefined ? '' : `: ${stopped}`}`}`;
}
