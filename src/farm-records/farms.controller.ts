import { Body, Controller, Get, Param, Put, Query, Res } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import type { FastifyReply } from 'fastify';
import { Caller, type Principal, RequireScope } from '../auth/index.js';
import { Config } from '../config.js';
import type { Farm } from './farm.js';
import { farmNotFound, requireReach, toProblem } from './farm-records.problems.js';
import { FindFarm, ListFarms, SaveFarm } from './messages.js';
import { cursorOf, nextPage, readPage } from '../operations/page.js';
import { Describe } from '../operations/describe.js';
import { listFarms, readFarm, saveFarm } from './farm-records.description.js';

interface FarmAnswer {
  readonly data: Farm;
  readonly links: { readonly self: string; readonly records: string };
}

/** Farms (http-api 10). */
@Controller('v2/farms')
export class FarmsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly config: Config,
  ) {}

  @Put(':farmId')
  @RequireScope('write:records')
  @Describe(saveFarm)
  async save(
    @Caller() principal: Principal,
    @Param('farmId') farmId: string,
    @Body() body: unknown,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FarmAnswer> {
    requireReach(principal, farmId);
    const { farm, created } = await this.commands.execute(new SaveFarm(farmId, body)).catch(toProblem);
    const answer = this.answer(farm);
    void reply.status(created ? 201 : 200).headers(created ? { Location: answer.links.self } : {});
    return answer;
  }

  @Get()
  @RequireScope('read:records')
  @Describe(listFarms)
  async list(
    @Caller() principal: Principal,
    @Query() query: Record<string, unknown>,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<{ data: readonly Farm[]; links: { next?: string } }> {
    const { limit, after = [''] } = readPage(query, 1);
    const farms = await this.queries.execute(new ListFarms(principal.farms, after[0] ?? '', limit + 1));
    const data = farms.slice(0, limit);
    const last = farms.length > limit ? data.at(-1) : undefined;
    return { data, links: nextPage(reply, this.config, '/v2/farms', query, last && cursorOf([last.id])) };
  }

  @Get(':farmId')
  @RequireScope('read:records')
  @Describe(readFarm)
  async read(@Caller() principal: Principal, @Param('farmId') farmId: string): Promise<FarmAnswer> {
    requireReach(principal, farmId);
    const farm = await this.queries.execute(new FindFarm(farmId));
    if (!farm) throw farmNotFound();
    return this.answer(farm);
  }

  private answer(farm: Farm): FarmAnswer {
    const self = `${this.config.publicUrl}/v2/farms/${encodeURIComponent(farm.id)}`;
    return { data: farm, links: { self, records: `${self}/records` } };
  }
}
