import { apiKeyFor, Caller } from './support/caller.js';
import { type FreshDatabase, freshDatabase } from './support/database.js';
import { startService, type StartedService } from './support/service.js';

export const FARM = 'farm-of-metrics';
export const TRACE = '0af7651916cd43dd8448eb211c80319c';
export const REPORT = {
  type: 'livestock-sale.v1',
  tenantType: 'farm',
  tenantId: FARM,
  reportingPeriodStart: 1_719_756_000_000,
  reportingPeriodEnd: 1_751_205_600_000,
};

const LINE = {
  species: 'Sheep',
  ageClass: 'ewe',
  enterpriseId: 'wool',
  mobId: 'm1',
  paddockId: 'p1',
  head: 12,
};
const OPENING = {
  resourceType: 'OpeningStock',
  id: 'o1',
  meta: { source: 'me', sourceId: 'o1', modified: '2024-07-01T00:00:00Z' },
  date: '2024-07-01',
  lines: [{ ...LINE, value: '960' }],
};

/** A service that has done a little of everything that is measured. */
export class MeteredService {
  private constructor(
    private readonly database: FreshDatabase,
    private readonly service: StartedService,
    readonly caller: Caller,
  ) {}

  static async start(): Promise<MeteredService> {
    const database = await freshDatabase();
    const service = await startService({ databaseUrl: database.url, env: { OPERATIONS_PORT: '0' } });
    const caller = new Caller(service.url, await apiKeyFor(database.url, [FARM]));
    const metered = new MeteredService(database, service, caller);
    await metered.work();
    return metered;
  }

  async scrape(accept = 'text/plain'): Promise<string> {
    return (await fetch(new URL('/metrics', this.service.operationsUrl), { headers: { accept } })).text();
  }

  async end(): Promise<void> {
    await this.service.kill();
    await this.database.drop();
  }

  private async work(): Promise<void> {
    const { caller } = this;
    await caller.send('PUT', `/v2/farms/${FARM}`, {
      name: 'Home',
      timeZone: 'Australia/Sydney',
      animalUnit: 'dse',
      areaUnit: 'ha',
      currency: 'AUD',
      financialYearStart: '07-01',
    });
    await caller.import(FARM, [OPENING, { ...OPENING, id: undefined, meta: undefined }]);
    const { body } = await caller.createReport(REPORT, { traceparent: `00-${TRACE}-b7ad6b7169203331-01` });
    await caller.ended(body.data.id);
    await caller.createReport(REPORT);
    const deprecated = await caller.createReport({ ...REPORT, type: 'livestock-reconciliation.v1' });
    await caller.ended(deprecated.body.data.id);
    await caller.get(`/v2/report/${body.data.id}/nowhere/at/all`);
    await caller.get('/somewhere/else');
    await fetch(new URL('/oauth2/token', this.service.url), { method: 'POST', body: 'x' });
  }
}
