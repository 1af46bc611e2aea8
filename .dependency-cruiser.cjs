const TESTS = '\\.test\\.ts$|/testing/';
/** Folders of api that know no feature of the shop. */
const BELOW_FEATURES = 'platform|event-store|command-handler|http|observability|migrations';

/** The folders of projections that are read models. */
const READ_MODELS = 'catalogue|orders|invoices|stats';

/** The fences between the rooms. Each rule was seen to fail on a planted import before it was trusted. */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'domain-knows-nothing',
      comment: 'domain imports only domain',
      severity: 'error',
      from: { path: '^domain/', pathNot: '(\\.test\\.ts$|^domain/testing/)' },
      to: { pathNot: '^domain/' },
    },
    {
      name: 'projections-know-domain',
      comment: 'projections imports domain and its database driver',
      severity: 'error',
      from: { path: '^projections/', pathNot: '(\\.test\\.ts$|^projections/testing/)' },
      to: { path: '^(api|web)/' },
    },
    {
      name: 'domain-folders-in-order',
      comment: 'order may import cart, and cart product; no two folders import each other',
      severity: 'error',
      from: { path: '^domain/(shared|product|cart|site)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^domain/order/' },
    },
    {
      name: 'domain-product-below-cart',
      severity: 'error',
      from: { path: '^domain/(shared|product|site)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^domain/cart/' },
    },
    {
      name: 'domain-shared-is-the-base',
      severity: 'error',
      from: { path: '^domain/shared/', pathNot: '\\.test\\.ts$' },
      to: { path: '^domain/', pathNot: '^domain/shared/' },
    },
    {
      name: 'receipts-are-verified-alone',
      comment: 'what verifies a receipt shares no code with the shop that made it',
      severity: 'error',
      from: { path: '^domain/receipt/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(domain|projections|api|web)/', pathNot: '^domain/receipt/' },
    },
    {
      name: 'follower-is-the-base',
      comment: 'read models and reactions share it, so it knows neither',
      severity: 'error',
      from: { path: '^projections/follower/', pathNot: '\\.test\\.ts$' },
      to: { path: '^projections/', pathNot: '^projections/follower/' },
    },
    {
      name: 'projection-engine-is-the-base',
      comment: 'the engine knows neither Postgres nor any read model',
      severity: 'error',
      from: { path: '^projections/engine/', pathNot: '\\.test\\.ts$' },
      to: { path: ['^projections/', 'node_modules/(pg|kysely)/'], pathNot: '^projections/(engine|follower)/' },
    },
    {
      name: 'projection-folders-in-order',
      comment: 'read models import reading, reading imports storage',
      severity: 'error',
      from: { path: '^projections/storage/', pathNot: '\\.test\\.ts$' },
      to: { path: '^projections/reading/' },
    },
    {
      name: 'projection-mechanics-know-no-read-model',
      severity: 'error',
      from: { path: '^projections/(storage|reading)/', pathNot: '\\.test\\.ts$' },
      to: { path: `^projections/(${READ_MODELS}|migrations)/` },
    },
    {
      name: 'read-models-stand-apart',
      severity: 'error',
      from: { path: `^projections/(${READ_MODELS})/`, pathNot: '\\.test\\.ts$' },
      to: { path: `^projections/(${READ_MODELS})/`, pathNot: '^projections/$1/' },
    },
    {
      name: 'web-knows-domain',
      comment: 'web knows the api over HTTP alone',
      severity: 'error',
      from: { path: '^web/' },
      to: { path: '^(api|projections)/' },
    },
    {
      name: 'api-does-not-know-web',
      comment: 'api serves the build of web, not its source',
      severity: 'error',
      from: { path: '^api/' },
      to: { path: '^web/' },
    },
    {
      name: 'features-stand-apart',
      comment: 'a feature of web never imports another; app joins them',
      severity: 'error',
      from: { path: '^web/features/([^/]+)/' },
      to: { path: '^web/features/', pathNot: '^web/features/$1/' },
    },
    { name: 'ui-knows-no-feature', severity: 'error', from: { path: '^web/(ui|lib)/' }, to: { path: '^web/(features|app)/' } },
    { name: 'features-do-not-know-app', severity: 'error', from: { path: '^web/features/' }, to: { path: '^web/app/' } },
    {
      name: 'stores-are-joined-once',
      comment: 'only the composition knows an adapter of the event store; the migrations apply its function',
      severity: 'error',
      from: { path: '^api/', pathNot: '(^api/(event-store|testing|verification)/|^api/composition/open-shop\\.ts$|\\.test\\.ts$)' },
      to: { path: '^api/event-store/(postgres|eventstoredb)', pathNot: '/append-function\\.ts$' },
    },
    {
      name: 'platform-knows-no-shop',
      severity: 'error',
      from: { path: '^api/platform/' },
      to: { path: '^api/', pathNot: '^api/platform/' },
    },
    {
      name: 'features-stand-on-http',
      comment: 'in api imports run composition, features, http, platform',
      severity: 'error',
      from: { path: `^api/(${BELOW_FEATURES})/`, pathNot: TESTS },
      to: { path: '^api/', pathNot: `^api/(${BELOW_FEATURES})/` },
    },
    {
      name: 'composition-joins-features',
      comment: 'a feature imports nothing of composition: what it shares with it is the type of `api/shop.ts`',
      severity: 'error',
      from: { path: '^api/', pathNot: `^api/(composition|cli|verification)/|^api/(app|main)\\.ts$|${TESTS}` },
      to: { path: '^api/composition/' },
    },
    {
      name: 'the-shop-is-a-type',
      severity: 'error',
      from: { path: '^api/shop\\.ts$' },
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'server-libraries-in-api',
      severity: 'error',
      from: { path: '^(domain|projections|web)/', pathNot: '(\\.test\\.tsx?$|/testing/|^web/vite\\.config\\.ts$)' },
      to: { path: 'node_modules/(koa|@koa|zod|@eventstore|nodemailer|pino|prom-client)/' },
    },
    {
      name: 'browser-libraries-in-web',
      severity: 'error',
      from: { path: '^(domain|projections|api)/' },
      to: { path: 'node_modules/(react|react-dom|@reduxjs|redux-saga|react-router-dom|axios)/' },
    },
    {
      name: 'traces-cost-nothing-unless-wanted',
      comment: 'the libraries of OpenTelemetry are loaded by a dynamic import alone',
      severity: 'error',
      from: { pathNot: '^api/observability/tracing/open-tracing\\.ts$' },
      to: { path: 'node_modules/@opentelemetry/' },
    },
    {
      name: 'traces-are-opened-by-a-dynamic-import',
      severity: 'error',
      from: { pathNot: '\\.test\\.ts$' },
      to: { path: '^api/observability/tracing/open-tracing\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    },
    { name: 'nothing-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)\\.build/' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'node', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.css'],
    },
  },
};
