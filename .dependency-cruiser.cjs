/**
 * Who may import whom (architecture: boundaries). `test/boundaries.spec.ts` plants a forbidden import for
 * every rule and sees it fail.
 * @type {import('dependency-cruiser').IConfiguration}
 */
const modules = [
  'audit',
  'auth',
  'caching',
  'deprecation',
  'description',
  'erasure',
  'event-store',
  'farm-records',
  'generators',
  'limits',
  'reports',
  'schedules',
  'waiting',
  'webhooks',
];
const pureCores = [
  'src/reports/(report|period|prefer)\\.ts$',
  'src/waiting/stream-position\\.ts$',
  'src/caching/cache-control\\.ts$',
  'src/farm-records/ledger[^/]*\\.ts$',
  'src/auth/grants/[^/]+\\.ts$',
  'src/webhooks/verdict\\.ts$',
  'src/schedules/rhythm\\.ts$',
];

module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      comment: 'Files of a module may meet through types only.',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'enter-through-index',
      comment:
        'A module is entered through its index.ts; a principal and the contracts that strangers write against are open too.',
      severity: 'error',
      from: { path: `^src/(${modules.join('|')})/` },
      to: {
        path: `^src/(${modules.join('|')})/`,
        pathNot: [
          '^src/$1/',
          '/index\\.ts$',
          '^src/auth/principal\\.ts$',
          '^src/event-store/(event|bucket)\\.ts$',
          '^src/farm-records/(reader|open-farm-records)\\.ts$',
        ],
      },
    },
    {
      name: 'reports-owns-the-language',
      comment: 'reports asks in its own words; caching, generators and waiting answer.',
      severity: 'error',
      from: { path: '^src/reports/' },
      to: { path: '^src/(caching|generators|waiting)/' },
    },
    {
      name: 'satellites-know-reports-only',
      comment: 'caching knows reports and the event store; not its neighbours.',
      severity: 'error',
      from: { path: '^src/caching/' },
      to: { path: '^src/(generators|farm-records|auth)/' },
    },
    {
      name: 'limits-know-nobody',
      comment: 'Whoever limits something names it.',
      severity: 'error',
      from: { path: '^src/limits/' },
      to: { path: '^src/(?!limits/|database/|config\\.ts)' },
    },
    {
      name: 'deprecation-asks-reports',
      comment: 'deprecation compares what callers get; it cannot know who makes a report.',
      severity: 'error',
      from: { path: '^src/deprecation/' },
      to: { path: '^src/(generators|farm-records|caching|waiting|webhooks|schedules)/' },
    },
    {
      name: 'waiting-follows-the-log',
      comment: 'waiting knows reports and the event store; it cannot know who makes a report.',
      severity: 'error',
      from: { path: '^src/waiting/' },
      to: { path: '^src/(generators|caching|farm-records)/' },
    },
    {
      name: 'log-knows-no-domain',
      severity: 'error',
      from: { path: '^src/event-store/' },
      to: { path: '^src/(reports|caching|generators|waiting|farm-records|auth|operations|cli)/' },
    },
    {
      name: 'audit-knows-no-domain',
      comment: 'Each module says what must hold of its own tables; the audit asks them all.',
      severity: 'error',
      from: { path: '^src/audit/' },
      to: { path: '^src/(?!audit/|database/)' },
    },
    {
      name: 'erasure-knows-the-log-only',
      comment: 'Each module says what it keeps about farms and how it goes.',
      severity: 'error',
      from: { path: '^src/erasure/' },
      to: { path: '^src/(?!erasure/|event-store/|database/)' },
    },
    {
      name: 'records-know-no-reports',
      severity: 'error',
      from: { path: '^src/farm-records/' },
      to: { path: '^src/(reports|caching|generators|waiting)/' },
    },
    {
      name: 'edges-are-used-by-nobody',
      comment:
        'Webhooks and schedules use reports; the top, the command line, the counting and the description of what happens know them.',
      severity: 'error',
      from: { path: '^src/(?!webhooks/|schedules/|cli/|operations/|description/|app\\.module)' },
      to: { path: '^src/(webhooks|schedules)/' },
    },
    {
      name: 'edges-know-reports-only',
      comment: 'Of reports and farms they know what callers know; neither knows the other.',
      severity: 'error',
      from: { path: '^src/(webhooks|schedules)/' },
      to: { path: '^src/(caching|generators|webhooks|schedules)/', pathNot: '^src/$1/' },
    },
    {
      name: 'report-types-are-islands',
      comment: 'A report type imports the contract and the reader of farm records, not its neighbours.',
      severity: 'error',
      from: { path: '^src/generators/(?!formats/)([^/]+)/' },
      to: {
        path: '^src/',
        pathNot: ['^src/generators/$1/', '^src/generators/[^/]+\\.ts$', '^src/farm-records/reader\\.ts$'],
      },
    },
    {
      name: 'kit-is-for-strangers',
      comment: 'The service serves without the kit.',
      severity: 'error',
      from: { path: '^src/(?!kit/|cli/)' },
      to: { path: '^src/kit/' },
    },
    {
      name: 'kit-carries-no-service',
      comment: 'The kit stands on report types, farm records and the database alone.',
      severity: 'error',
      from: { path: '^src/kit/' },
      to: { path: '^src/(?!kit/|generators/|farm-records/|database/|config\\.ts)' },
    },
    {
      name: 'pure-cores',
      comment: 'The rules import types only: no Nest, no SQL, no clock, no random.',
      severity: 'error',
      from: { path: pureCores },
      to: {
        path: ['^node:', 'node_modules/(@nestjs|typeorm|pg)', '^src/(database|operations|config)'],
        dependencyTypesNot: ['type-only'],
      },
    },
    {
      name: 'nobody-imports-the-description',
      comment:
        'Routes describe themselves in the words of operations/describe.ts; the description finds them.',
      severity: 'error',
      from: { path: '^src/(?!description/|cli/|app\\.module\\.ts)' },
      to: { path: '^src/description/' },
    },
    {
      name: 'client-stands-alone',
      comment: 'Applications load the client without the service.',
      severity: 'error',
      from: { path: '^src/client/' },
      to: { pathNot: '^src/client/' },
    },
    {
      name: 'nobody-imports-the-top',
      severity: 'error',
      from: { path: '^src/(?!cli/|main\\.ts)' },
      to: { path: '^src/(main|app\\.module)\\.ts$' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '\\.spec\\.ts$' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.js'],
      exportsFields: ['exports'],
      conditionNames: ['import', 'node'],
    },
  },
};
