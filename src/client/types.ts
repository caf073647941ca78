// What the interface sends and takes (/openapi.json); test/client.e2e-spec.ts holds these types equal to the service's own.

/** What a report is asked about. The period is read as days on the farm, both included. */
export interface ReportRequest {
  readonly type: string;
  readonly tenantType: 'farm';
  readonly tenantId: string;
  /** Unix milliseconds. */
  readonly reportingPeriodStart: number;
  readonly reportingPeriodEnd: number;
}

export type ReportStatus = 'pending' | 'processing' | 'completed' | 'failed' | 'cancelled' | 'expired';

export type ReportFormat = 'csv' | 'json' | 'ndjson' | 'xlsx';

/** What became of a request; members are added over time. */
export interface ReportRecord extends ReportRequest {
  readonly id: string;
  readonly status: ReportStatus;
  /** Unix milliseconds. */
  readonly creationDate: number;
  readonly lastModifiedDate: number;
  /** Days on the farm, YYYY-MM-DD, both included. */
  readonly period: { readonly start: string; readonly end: string; readonly timeZone: string };
  readonly warnings: readonly string[];
  readonly attempt?: number;
  readonly failureReason?: string;
}

export interface Report {
  readonly data: ReportRecord;
  readonly links: { readonly self: string; readonly download: string; readonly events: string };
  /** The service had made it before, or was making it already. */
  readonly reused: boolean;
}

export interface ReportType {
  readonly type: string;
  readonly title: string;
  readonly description: string;
  readonly deprecated: boolean;
  readonly replacedBy?: string;
  readonly formats: readonly string[];
  readonly columns: readonly {
    readonly name: string;
    readonly type: string;
    readonly unit?: string;
    readonly description?: string;
    readonly jsonOnly?: boolean;
  }[];
  /** JSON Schema of the content as JSON. */
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface FarmSettings {
  readonly name: string;
  /** IANA. */
  readonly timeZone: string;
  readonly animalUnit?: 'dse' | 'ae' | 'lsu' | 'au';
  readonly areaUnit?: 'ha' | 'ac';
  readonly currency?: string;
  /** MM-DD. */
  readonly financialYearStart?: string;
  /** By species in lower case, exact decimals. */
  readonly naturalIncreaseValues?: Readonly<Record<string, string>>;
}

export type Farm = Required<FarmSettings> & { readonly id: string };

export interface ImportSummary {
  readonly accepted: number;
  readonly replaced: number;
  readonly unchanged: number;
  readonly rejected: number;
  /** The first 100. */
  readonly errors: readonly {
    readonly line?: number;
    readonly index?: number;
    readonly pointer: string;
    readonly detail: string;
  }[];
}
